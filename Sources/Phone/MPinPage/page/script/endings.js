// SPDX-License-Identifier: Apache-2.0
// The endings of a flow, each with a title and an explanation in English and German, and the texts of "How
// this works".
export const ends = {
  denied: [
    "Refused",
    "Abgelehnt",
    "That login is over. Your administrator can see it in the audit trail.",
    "Diese Anmeldung ist beendet. Ihre Administration sieht sie im Protokoll.",
  ],
  declined: ["Cancelled", "Abgebrochen", "Nothing was approved.", "Es wurde nichts bestätigt."],
  noSession: [
    "This login is over",
    "Diese Anmeldung ist vorbei",
    "It has expired or was answered, or this device is not allowed yet, or you refused logins from there. "
      + "Begin again at the console.",
    "Sie ist abgelaufen oder beantwortet, oder dieses Gerät ist noch nicht zugelassen, oder Sie haben "
      + "Anmeldungen von dort abgelehnt. Beginnen Sie an der Konsole neu.",
  ],
  otherOrigin: [
    "Not from this server",
    "Nicht von diesem Server",
    "The QR code or number belongs to another server. Nothing was sent to it.",
    "Der QR-Code oder die Nummer gehört zu einem anderen Server. Es wurde nichts dorthin gesendet.",
  ],
  otherSession: [
    "Not the login you scanned",
    "Nicht die gescannte Anmeldung",
    "The server answered for another login. Nothing was approved. Tell your administrator.",
    "Der Server hat für eine andere Anmeldung geantwortet. Es wurde nichts bestätigt. Sagen Sie es Ihrer "
      + "Administration.",
  ],
  otherIdentity: [
    "Not for this device",
    "Nicht für dieses Gerät",
    "The login asks for another identity, or this device is not allowed yet, or you refused logins from "
      + "there.",
    "Die Anmeldung fragt nach einer anderen Identität, oder dieses Gerät ist noch nicht zugelassen, oder "
      + "Sie haben Anmeldungen von dort abgelehnt.",
  ],
  wrongPIN: ["Wrong PIN", "Falsche PIN", "Nothing was approved.", "Es wurde nichts bestätigt."],
  locked: [
    "Locked for now",
    "Vorübergehend gesperrt",
    "There were too many wrong PINs.",
    "Es gab zu viele falsche PINs.",
  ],
  blocked: [
    "Blocked",
    "Gesperrt",
    "There were too many wrong PINs. Only your administrator can unlock this device.",
    "Es gab zu viele falsche PINs. Nur Ihre Administration kann dieses Gerät entsperren.",
  ],
  expired: [
    "Enrol this device again",
    "Gerät neu einrichten",
    "Its enrolment has expired. Ask your administrator for a new invitation.",
    "Seine Registrierung ist abgelaufen. Bitten Sie Ihre Administration um eine neue Einladung.",
  ],
  lostKey: [
    "Enrol this device again",
    "Gerät neu einrichten",
    "The server no longer knows this device's key. Nothing was sent. Ask your administrator for a new "
      + "invitation.",
    "Der Server kennt den Schlüssel dieses Geräts nicht mehr. Es wurde nichts gesendet. Bitten Sie Ihre "
      + "Administration um eine neue Einladung.",
  ],
  revoked: [
    "Suspended or revoked",
    "Gesperrt oder widerrufen",
    "Your administrator has suspended or withdrawn this identity. Do not remove it before you have asked "
      + "your administrator.",
    "Ihre Administration hat diese Identität gesperrt oder zurückgezogen. Entfernen Sie sie nicht, bevor "
      + "Sie Ihre Administration gefragt haben.",
  ],
  unavailable: [
    "No answer from the server",
    "Keine Antwort vom Server",
    "Check the connection of this device, then try again.",
    "Prüfen Sie die Verbindung dieses Geräts und versuchen Sie es noch einmal.",
  ],
  noPIN: [
    "That cannot be a PIN",
    "Das kann keine PIN sein",
    "Nothing was sent.",
    "Es wurde nichts gesendet.",
  ],
  withdrawn: [
    "The registration was withdrawn",
    "Die Registrierung wurde zurückgezogen",
    "The test login after it was refused. Ask your administrator for a new invitation.",
    "Die Probe-Anmeldung wurde abgelehnt. Bitten Sie Ihre Administration um eine neue Einladung.",
  ],
  notVerified: [
    "The invitation is not valid",
    "Die Einladung ist ungültig",
    "Its code is wrong, used up or expired. Ask for a new one.",
    "Ihr Code ist falsch, verbraucht oder abgelaufen. Bitten Sie um eine neue.",
  ],
  notAuthorized: [
    "Not allowed",
    "Nicht erlaubt",
    "The server does not let you register.",
    "Der Server lässt Sie nicht registrieren.",
  ],
  full: [
    "The server is busy",
    "Der Server ist ausgelastet",
    "Try again in a while.",
    "Versuchen Sie es etwas später noch einmal.",
  ],
  application: [
    "Not with this page",
    "Nicht mit dieser Seite",
    "This is a login to an application. Use mpin authcode or an app. Nothing was approved.",
    "Eine Anwendung fragt. Nehmen Sie mpin authcode oder eine App. Es wurde nichts bestätigt.",
  ],
  pinRefused: [
    "The server refuses this PIN",
    "Der Server lehnt diese PIN ab",
    "Choose another one.",
    "Wählen Sie eine andere.",
  ],
  notStored: [
    "This browser could not store it",
    "Der Browser hat es nicht gespeichert",
    "Storage is full or not allowed. Free some space, or leave private browsing, then try again.",
    "Der Speicher ist voll oder verboten. Schaffen Sie Platz oder verlassen Sie den privaten Modus, und "
      + "versuchen Sie es dann noch einmal.",
  ],
  notUnderstood: [
    "This is not an M-Pin QR code",
    "Das ist kein M-Pin-QR-Code",
    "The address could not be read. Scan it again, or type the seven digits.",
    "Die Adresse ist nicht lesbar. Scannen Sie noch einmal, oder tippen Sie die sieben Ziffern ein.",
  ],
  failed: [
    "That did not work",
    "Das hat nicht geklappt",
    "An unexpected error occurred. Nothing was approved. Try again, or ask your administrator.",
    "Etwas ist nicht, wie es sein muss. Es wurde nichts bestätigt. Versuchen Sie es noch einmal, oder "
      + "fragen Sie Ihre Administration.",
  ],
  lost: [
    "This browser has lost your identity",
    "Der Browser hat Ihre Identität verloren",
    "This device was enrolled, but the browser has deleted its data: because its storage was cleared or, on "
      + "Apple devices, because the page was not used for seven days. Ask your administrator for a new "
      + "invitation, and have the old registration revoked.",
    "Dieses Gerät war eingerichtet, aber der Browser hat das Gespeicherte gelöscht: weil sein Speicher "
      + "geleert wurde oder, auf Apple-Geräten, weil die Seite sieben Tage nicht benutzt wurde. Bitten Sie "
      + "Ihre Administration um eine neue Einladung und lassen Sie die alte Registrierung widerrufen.",
  ],
  noStorage: [
    "This browser cannot store anything",
    "Dieser Browser speichert nichts",
    "Private tabs have no permanent storage. Open this page in an ordinary tab.",
    "Private Tabs haben keinen dauerhaften Speicher. Öffnen Sie diese Seite in einem normalen Tab.",
  ],
  tooOld: [
    "This browser is too old",
    "Dieser Browser ist zu alt",
    "You need iOS 16 or Chrome 103, or newer.",
    "Nötig ist iOS 16 oder Chrome 103 oder neuer.",
  ],
  insecure: [
    "This address is not secure",
    "Diese Adresse ist nicht sicher",
    "The page works only at an address that begins with https.",
    "Die Seite funktioniert nur unter einer Adresse, die mit https beginnt.",
  ],
  framed: [
    "Open this page by itself",
    "Öffnen Sie diese Seite für sich",
    "It was embedded in another page and refuses to run there. Do not type your PIN.",
    "Sie wurde in eine andere Seite eingebettet und läuft dort nicht. Geben Sie Ihre PIN nicht ein.",
  ],
};

export const honest = [
  [
    "Your PIN stays here",
    "Ihre PIN bleibt hier",
    "This browser keeps half of a key; your PIN is the other half. Together they prove who you are, and "
      + "neither is sent. A thief who has the device can try PINs only at the server, which counts and "
      + "locks. Guessing without the server takes both the device and the server's secret.",
    "Dieser Browser bewahrt einen halben Schlüssel auf; Ihre PIN ist die andere Hälfte. Zusammen beweisen "
      + "sie, wer Sie sind, und keine wird gesendet. Wer das Gerät stiehlt, kann PINs nur am Server "
      + "probieren, der zählt und sperrt. Raten ohne den Server geht nur mit dem Gerät und dem "
      + "Servergeheimnis zusammen.",
  ],
  [
    "The code is for your console",
    "Der Code ist für Ihre Konsole",
    "At a console an approval lets nobody in by itself: the approval code must be typed where the login "
      + "began. Do not tell it to anyone. A login to a web page has no code: whoever shows its QR code is "
      + "logged in as you.",
    "An einer Konsole lässt eine Bestätigung allein niemanden ein: Der Bestätigungscode muss dort "
      + "eingetippt werden, wo die Anmeldung begann. Verraten Sie ihn niemandem. Die Anmeldung bei einer "
      + "Webseite hat keinen Code: Wer ihren QR-Code zeigt, wird als Sie angemeldet.",
  ],
  [
    "Whom you trust",
    "Wem Sie vertrauen",
    "This page comes from {server}. Whoever controls that server, or the TLS in front of it, can serve a "
      + "page that steals your PIN and your key. If you do not accept that, approve with mpin approve on "
      + "another Linux machine, or with an app made with MPinClient.",
    "Diese Seite kommt von {server}. Wer diesen Server oder das TLS davor beherrscht, kann eine Seite "
      + "ausliefern, die PIN und Schlüssel stiehlt. Wenn Sie das nicht hinnehmen, bestätigen Sie mit mpin "
      + "approve auf einem anderen Linux-Rechner oder mit einer App, die MPinClient benutzt.",
  ],
  [
    "Where it is kept",
    "Wo es gespeichert ist",
    "In this browser only, sealed with a key that scripts cannot copy. Private tabs, other browsers and "
      + "the app on the home screen each have their own storage. Safari deletes it after seven days "
      + "without use, but not in the app on the home screen.",
    "Nur in diesem Browser, versiegelt mit einem Schlüssel, den Skripte nicht kopieren können. Private "
      + "Tabs, andere Browser und die App auf dem Home-Bildschirm haben je einen eigenen Speicher. Safari "
      + "löscht ihn nach sieben Tagen ohne Benutzung, in der App auf dem Home-Bildschirm nicht.",
  ],
];
