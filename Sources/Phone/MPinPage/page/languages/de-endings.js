// SPDX-License-Identifier: Apache-2.0
// The endings of a flow in German, each with its title and its explanation, and the texts of "How this
// works".
export const ends = {
  denied: ["Abgelehnt", "Diese Anmeldung ist beendet. Ihre Administration sieht sie im Protokoll."],
  declined: ["Abgebrochen", "Es wurde nichts bestätigt."],
  noSession: [
    "Diese Anmeldung ist vorbei",
    "Sie ist abgelaufen oder beantwortet, oder dieses Gerät ist noch nicht zugelassen, oder Sie haben "
      + "Anmeldungen von dort abgelehnt. Beginnen Sie an der Konsole neu.",
  ],
  otherOrigin: [
    "Nicht von diesem Server",
    "Der QR-Code oder die Nummer gehört zu einem anderen Server. Es wurde nichts dorthin gesendet.",
  ],
  otherSession: [
    "Nicht die gescannte Anmeldung",
    "Der Server hat für eine andere Anmeldung geantwortet. Es wurde nichts bestätigt. Sagen Sie es "
      + "Ihrer Administration.",
  ],
  otherIdentity: [
    "Nicht für dieses Gerät",
    "Die Anmeldung fragt nach einer anderen Identität, oder dieses Gerät ist noch nicht zugelassen, "
      + "oder Sie haben Anmeldungen von dort abgelehnt.",
  ],
  wrongPIN: ["Falsche PIN", "Es wurde nichts bestätigt."],
  locked: ["Vorübergehend gesperrt", "Es gab zu viele falsche PINs."],
  blocked: [
    "Gesperrt",
    "Es gab zu viele falsche PINs. Nur Ihre Administration kann dieses Gerät entsperren.",
  ],
  expired: [
    "Gerät neu einrichten",
    "Seine Registrierung ist abgelaufen. Bitten Sie Ihre Administration um eine neue Einladung.",
  ],
  lostKey: [
    "Gerät neu einrichten",
    "Der Server kennt den Schlüssel dieses Geräts nicht mehr. Es wurde nichts gesendet. Bitten Sie "
      + "Ihre Administration um eine neue Einladung.",
  ],
  revoked: [
    "Gesperrt oder widerrufen",
    "Ihre Administration hat diese Identität gesperrt oder zurückgezogen. Entfernen Sie sie nicht, "
      + "bevor Sie Ihre Administration gefragt haben.",
  ],
  unavailable: [
    "Keine Antwort vom Server",
    "Prüfen Sie die Verbindung dieses Geräts und versuchen Sie es noch einmal.",
  ],
  noPIN: ["Das kann keine PIN sein", "Es wurde nichts gesendet."],
  withdrawn: [
    "Die Registrierung wurde zurückgezogen",
    "Die Probe-Anmeldung wurde abgelehnt. Bitten Sie Ihre Administration um eine neue Einladung.",
  ],
  notVerified: [
    "Die Einladung ist ungültig",
    "Ihr Code ist falsch, verbraucht oder abgelaufen. Bitten Sie um eine neue.",
  ],
  notAuthorized: ["Nicht erlaubt", "Der Server lässt Sie nicht registrieren."],
  full: ["Der Server ist ausgelastet", "Versuchen Sie es etwas später noch einmal."],
  application: [
    "Nicht mit dieser Seite",
    "Eine Anwendung fragt. Nehmen Sie mpin authcode oder eine App. Es wurde nichts bestätigt.",
  ],
  pinRefused: ["Der Server lehnt diese PIN ab", "Wählen Sie eine andere."],
  notStored: [
    "Der Browser hat es nicht gespeichert",
    "Der Speicher ist voll oder verboten. Schaffen Sie Platz oder verlassen Sie den privaten Modus, "
      + "und versuchen Sie es dann noch einmal.",
  ],
  notUnderstood: [
    "Das ist kein M-Pin-QR-Code",
    "Die Adresse ist nicht lesbar. Scannen Sie noch einmal, oder tippen Sie die sieben Ziffern ein.",
  ],
  failed: [
    "Das hat nicht geklappt",
    "Etwas ist nicht, wie es sein muss. Es wurde nichts bestätigt. Versuchen Sie es noch einmal, oder "
      + "fragen Sie Ihre Administration.",
  ],
  lost: [
    "Der Browser hat Ihre Identität verloren",
    "Dieses Gerät war eingerichtet, aber der Browser hat das Gespeicherte gelöscht: weil sein Speicher "
      + "geleert wurde oder, auf Apple-Geräten, weil die Seite sieben Tage nicht benutzt wurde. Bitten Sie "
      + "Ihre Administration um eine neue Einladung und lassen Sie die alte Registrierung widerrufen.",
  ],
  unread: [
    "Der Speicher dieses Browsers ist nicht lesbar",
    "Es wurde nichts geändert. Schließen Sie andere Tabs dieser Seite, starten Sie den Browser neu und "
      + "versuchen Sie es noch einmal. Hilft das nicht, bitten Sie Ihre Administration um eine neue "
      + "Einladung.",
  ],
  newer: [
    "Diese Seite ist älter als das, was sie gespeichert hat",
    "In diesem Browser war eine neuere Version dieser Seite offen. Es wurde nichts geändert. Laden Sie die "
      + "Seite neu.",
  ],
  noStorage: [
    "Dieser Browser speichert nichts",
    "Private Tabs haben keinen dauerhaften Speicher. Öffnen Sie diese Seite in einem normalen Tab.",
  ],
  tooOld: ["Dieser Browser ist zu alt", "Nötig ist iOS 16 oder Chrome 103 oder neuer."],
  insecure: [
    "Diese Adresse ist nicht sicher",
    "Die Seite funktioniert nur unter einer Adresse, die mit https beginnt.",
  ],
  framed: [
    "Öffnen Sie diese Seite für sich",
    "Sie wurde in eine andere Seite eingebettet und läuft dort nicht. Geben Sie Ihre PIN nicht ein.",
  ],
};

export const honest = [
  [
    "Ihre PIN bleibt hier",
    "Dieser Browser bewahrt einen halben Schlüssel auf; Ihre PIN ist die andere Hälfte. Zusammen "
      + "beweisen sie, wer Sie sind, und keine wird gesendet. Wer das Gerät stiehlt, kann PINs nur am "
      + "Server probieren, der zählt und sperrt. Raten ohne den Server geht nur mit dem Gerät und dem "
      + "Servergeheimnis zusammen.",
  ],
  [
    "Der Code ist für Ihre Konsole",
    "An einer Konsole lässt eine Bestätigung allein niemanden ein: Der Bestätigungscode muss dort "
      + "eingetippt werden, wo die Anmeldung begann. Verraten Sie ihn niemandem. Die Anmeldung bei einer "
      + "Webseite hat keinen Code: Wer ihren QR-Code zeigt, wird als Sie angemeldet.",
  ],
  [
    "Wem Sie vertrauen",
    "Diese Seite kommt von {server}. Wer diesen Server oder das TLS davor beherrscht, kann eine Seite "
      + "ausliefern, die PIN und Schlüssel stiehlt. Wenn Sie das nicht hinnehmen, bestätigen Sie mit mpin "
      + "approve auf einem anderen Linux-Rechner oder mit einer App, die MPinClient benutzt.",
  ],
  [
    "Wo es gespeichert ist",
    "Nur in diesem Browser, versiegelt mit einem Schlüssel, den Skripte nicht kopieren können. Private "
      + "Tabs, andere Browser und die App auf dem Home-Bildschirm haben je einen eigenen Speicher. Safari "
      + "löscht ihn nach sieben Tagen ohne Benutzung, in der App auf dem Home-Bildschirm nicht. Wenn ein "
      + "Fingerabdruck, ein Gesicht oder ein Sicherheitsschlüssel die PIN öffnet, ist auch sie dort, so "
      + "verschlüsselt, dass nur er sie öffnen kann.",
  ],
];
