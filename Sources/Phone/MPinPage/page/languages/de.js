// SPDX-License-Identifier: Apache-2.0
// The texts of the screens in German; {name} stands for a value. de-endings.js has the endings.
// The spelling alphabet is that of DIN 5009.
export const spelling =
  "Berlin Chemnitz Düsseldorf Frankfurt Goslar Hamburg Jena Köln Leipzig München Nürnberg Potsdam "
  + "Quickborn Rostock Salzwedel Tübingen Völklingen Wuppertal Xanten Zwickau";

/** By the plural forms of Intl.PluralRules. */
export const counted = {
  tries: { one: "noch ein Versuch", other: "noch {n} Versuche" },
  wrong: { one: "eine falsche PIN", other: "{n} falsche PINs" },
};

export const table = {
  next: "Weiter",
  cancel: "Abbrechen",
  back: "Zurück",
  again: "Noch einmal",
  close: "Fertig",
  details: "Einzelheiten",
  how: "So funktioniert es",

  notEnrolled: "Dieses Gerät ist hier noch nicht eingerichtet",
  notEnrolledLead: "Um sich bei {server} mit diesem Gerät anzumelden, brauchen Sie eine Einladung.",
  notKept: "Hier schon eingerichtet? Dann hat der Browser es gelöscht.",
  step1:
    "Fragen Sie Ihre Administration oder starten Sie {command} auf dem Rechner. Im Terminal erscheint "
    + "ein QR-Code.",
  step2: "Scannen Sie den QR-Code mit der Kamera dieses Geräts.",
  step3: "Wählen Sie eine PIN. Sie verlässt dieses Gerät nie.",
  sessionElsewhere:
    "Sie haben eine Anmeldung gescannt, aber dieser Browser hat keine Identität. Private Tabs, andere "
    + "Browser und die App auf dem Home-Bildschirm haben jeweils eigene. Wenn Sie sich dort eingerichtet "
    + "haben, öffnen Sie diese Seite dort und tippen Sie die sieben Ziffern der Konsole ein.",
  byCode: "Name und Code eintippen",
  byCodeLead: "Beides steht in Ihrer Einladung. Sie können auch die ganze Adresse als Namen einfügen.",
  name: "Name",
  code: "Code",

  home: "Anmeldung bestätigen",
  waitingNone: "Auf dieses Gerät wartet keine Anmeldung.",
  waitingSome: "Wählen Sie die Anmeldung, deren Nummer Ihre Konsole zeigt.",
  waitingStopped: "Die Suche endete nach zwei Minuten.",
  waitingAgain: "Weiter suchen",
  waitingNotOffered: "Dieser Server sagt nicht, welche Anmeldungen warten.",
  waitingTooOften: "Dieses Gerät hat zu oft gefragt. Suchen Sie in {time} weiter.",
  homeLead:
    "Sie können auch den QR-Code der Konsole mit der Kamera scannen oder die sieben Ziffern hier "
    + "eintippen.",
  number: "Sieben Ziffern der Konsole",
  notANumber: "Das sind nicht die sieben Ziffern einer Anmeldung.",
  here: "Auf diesem Gerät",
  settings: "Einstellungen",
  settingsOf: "Einstellungen von {label}",
  noSettings: "Hier gibt es dafür gerade nichts einzustellen.",
  "state.spoilt": "Nicht lesbar. Richten Sie dieses Gerät neu ein.",
  "state.newer": "Von einer neueren Version dieser Seite gespeichert. Laden Sie die Seite neu.",
  remove: "Entfernen",
  removeOf: "{label} entfernen",
  removeTitle: "{label} von diesem Gerät entfernen?",
  removeLead:
    "Dieses Gerät kann dann keine Anmeldung mehr dafür bestätigen. Danach brauchen Sie eine neue "
    + "Einladung. Wenn das Gerät verloren ist oder weitergegeben wird, lassen Sie auch die Registrierung "
    + "widerrufen.",
  pendingTitle: "Das Einrichten von {name} ist noch nicht fertig.",
  goOn: "Fortsetzen",
  drop: "Verwerfen",

  enrolTitle: "Dieses Gerät einrichten",
  enrolLead: "Es kann dann Anmeldungen für {name} bei {server} bestätigen.",
  enrolWarning: "Nur fortfahren, wenn Sie diese Einladung erwartet haben.",
  server: "Server",
  choosePIN: "PIN wählen",
  repeatPIN: "PIN wiederholen",
  chooseLead: "{n} Ziffern oder mehr. Verwenden Sie sie für nichts anderes.",
  phraseLead: "Vier Wörter sind gut. Verwenden Sie sie für nichts anderes.",
  choosePassphrase: "Passphrase wählen",
  repeatPassphrase: "Passphrase wiederholen",
  differ: "Die beiden stimmten nicht überein. Bitte neu wählen.",
  useText: "Passphrase nehmen",
  useDigits: "Ziffern nehmen",
  passphrase: "Passphrase",
  good: "Gut",
  fair: "Leicht zu erraten. Länger ist besser.",
  fault: "Bitte eine andere: diese würde zuerst geraten.",
  "fault.short": "Mindestens vier Zeichen.",
  "fault.asked": "Mindestens {n} Zeichen: Dieser Server verlangt das.",
  "fault.date": "Dieser Server erlaubt kein Datum als PIN.",
  "fault.long": "Höchstens 128 Zeichen.",
  "fault.name": "Bitte nicht Ihr Name.",
  "fault.notPIN":
    "Nur einfache Buchstaben (kein ä, ö, ü, ß), Ziffern und Zeichen, und nichts, was wie ein "
    + "Bestätigungscode aussieht.",
  enrolling: "Einrichten",
  stageRegister: "Beim Server registrieren",
  stageShares: "Schlüssel in zwei Hälften empfangen",
  stageProve: "Mit einer Anmeldung ausprobieren",
  enrolled: "Dieses Gerät ist eingerichtet",
  enrolledLead: "{label} ist auf diesem Gerät gespeichert.",
  nextBind:
    "Als Nächstes muss der Rechner dieses Gerät zulassen. Drücken Sie am Terminal die Eingabetaste; es "
    + "zeichnet einen zweiten QR-Code, den Sie auch scannen. Ohne ein solches Terminal starten Sie "
    + "{command} auf dem Rechner.",
  unproved: "Eingerichtet, aber nicht ausprobiert",
  unprovedLead:
    "{label} ist auf diesem Gerät gespeichert, aber die Probe-Anmeldung kam nicht zustande. Ihre nächste "
    + "Anmeldung wird zeigen, ob es geht.",
  identityID: "Identität",

  iosTitle: "Zuerst auf den Home-Bildschirm",
  iosWhy:
    "Safari löscht, was eine Website speichert, wenn Sie sie sieben Tage nicht benutzen. Eine App auf "
    + "dem Home-Bildschirm behält es. Sie hat einen eigenen Speicher, also erst installieren, dann "
    + "einrichten.",
  ios1: "Kopieren Sie die Einladung.",
  ios2: "Tippen Sie auf Teilen, dann auf Zum Home-Bildschirm.",
  ios3: "Öffnen Sie dort M-Pin, wählen Sie Name und Code eintippen und fügen Sie ein.",
  iosNote:
    "Die Kamera öffnet den Browser, nicht die App: In der App tippen Sie die sieben Ziffern einer "
    + "Anmeldung ein. Bleiben Sie im Browser, wenn Sie diese Seite jede Woche benutzen.",
  copy: "Einladung kopieren",
  copied: "Kopiert",
  stay: "Im Browser bleiben",

  askConsole: "Auf {host} als {account} anmelden?",
  askBrowser: "Bei einer Webseite an {host} anmelden?",
  askBind: "Diesem Gerät erlauben, Anmeldungen von {account} auf {host} zu bestätigen?",
  askedBy: "Gefragt von {service}, {ago}, {source}",
  asked: "Gefragt {ago}, {source}",
  fromHere: "vom Rechner selbst",
  fromHereUser: "vom Rechner selbst (Benutzer {user})",
  fromServer: "von einem Programm auf dem Serverrechner",
  fromUnknown: "von unbekannter Stelle",
  fromAddress: "von {address}",
  pageSays: "Die Seite sagt, und niemand hat es geprüft:",
  typePIN: "Geben Sie Ihre PIN ein, wenn Sie das waren.",
  bindWarning: "Nur wenn Sie selbst an diesem Terminal sitzen.",
  browserWarning: "Ohne Bestätigungscode: Wer diesen QR-Code zeigt, wird als Sie angemeldet.",
  notMe: "Das war ich nicht",
  notMeTitle: "Diese Anmeldung ablehnen?",
  notMeLead:
    "Ihre PIN zeigt, dass Sie es sind. Eine Stunde lang werden Sie zu Anmeldungen auf {host} von "
    + "derselben Stelle nicht mehr gefragt.",
  notMeBrowser: "Ihre PIN zeigt, dass Sie es sind.",
  detailHost: "Rechner",
  detailAccount: "Konto",
  detailService: "Dienst",
  detailSource: "Herkunft",
  detailTime: "Zeit",
  detailAttempt: "Versuch",
  detailLabel: "Identität",
  whichOne: "Welche Identität?",
  whichLead: "Mehr als eine passt zu dieser Anmeldung.",
  looking: "Anmeldung wird gesucht",
  proving: "PIN wird bewiesen",
  pad: "PIN",
  erase: "Letzte Ziffer löschen",
  confirm: "Bestätigen",
  typedCount: "{count} eingegeben",

  unlockTitle: "Statt die PIN einzutippen",
  unlockLead:
    "Ihr Gerät oder ein Sicherheitsschlüssel prüft, dass Sie es sind, und öffnet dann die PIN. Die PIN "
    + "selbst gilt weiter.",
  "unlock.platform": "Fingerabdruck oder Gesicht verwenden",
  "unlock.roaming": "Sicherheitsschlüssel verwenden",
  "unlockOn.platform":
    "Ihr Fingerabdruck oder Gesicht öffnet die PIN auf diesem Gerät. Die PIN selbst gilt weiter.",
  "unlockOn.roaming":
    "Ihr Sicherheitsschlüssel öffnet die PIN auf diesem Gerät. Die PIN selbst gilt weiter.",
  unlockStop: "PIN immer eintippen",
  unlockHint: "Nur wenn Sie das waren.",
  typeIt: "PIN eintippen",
  unlockFailed: "Das hat die PIN nicht geöffnet. Bitte tippen Sie sie ein.",
  unlockStale:
    "Die PIN wurde anderswo geändert; dieses Gerät hat sie vergessen. Tippen Sie die neue ein; danach "
    + "können Sie Fingerabdruck, Gesicht oder Sicherheitsschlüssel neu einrichten.",
  unlockUse: "Noch einmal, zur Probe",
  unlockUseLead:
    "Ihr Gerät oder Sicherheitsschlüssel fragt ein zweites Mal. Danach tippen Sie Ihre PIN ein.",
  unlockProve: "PIN dieses Geräts eintippen",
  unlockProveLead: "Der Server prüft sie. Eine falsche PIN zählt.",
  unlockFor: "Danach wird sie für {label} ohne Eintippen geöffnet.",
  unlockDone: "Es ist eingerichtet",
  unlockNotDone: "Es ist nicht eingerichtet",
  unlockCannot:
    "Dieses Gerät oder dieser Sicherheitsschlüssel kann keine PIN öffnen. Nehmen Sie einen anderen, oder "
    + "tippen Sie die PIN weiter ein.",
  unlockCancelled:
    "Es wurde abgebrochen, oder Sie wurden nicht erkannt. Sie können die PIN weiter eintippen.",

  waitFor: "Noch einmal in {time}.",
  typeCode: "Diesen Bestätigungscode an der Konsole eintippen",
  typeCodeLead: "Nur an der Konsole vor Ihnen. Sagen Sie ihn niemandem; niemand braucht ihn von Ihnen.",
  typeCodeBind: "Nur an dem Terminal vor Ihnen. Ein Code, den Sie am Telefon weitersagen, schützt nichts.",
  compare: "Vergleichen Sie {id} mit dem Terminal.",
  codeLeft: "noch {seconds} Sekunden",
  codeGone: "Die Zeit ist um",
  codeGoneLead: "Die Anmeldung ist vorbei und ihr Code auch. Beginnen Sie bei Bedarf an der Konsole neu.",
  approved: "Bestätigt",
  approvedBrowser: "Machen Sie in dem Browser weiter, der gefragt hat.",
  warnTries: "{tries}, bevor dieses Gerät gesperrt wird. Eine neue PIN setzt die Zählung zurück.",
  warnUnknown:
    "Die Mitteilung des Servers über falsche PINs fehlt oder ist nicht echt. Vielleicht ist jemand "
    + "dazwischen: Sagen Sie es Ihrer Administration.",
  warnWrong:
    "Seit Ihrer letzten Anmeldung: {wrong}, zuletzt {time} {source}. Wenn Sie das nicht waren, sagen Sie "
    + "es Ihrer Administration.",
};
