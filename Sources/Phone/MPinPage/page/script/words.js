// SPDX-License-Identifier: Apache-2.0
// The texts of the screens, in English and German; {name} stands for a value. endings.js has the endings.
export const table = {
  next: ["Continue", "Weiter"],
  cancel: ["Cancel", "Abbrechen"],
  back: ["Back", "Zurück"],
  again: ["Try again", "Noch einmal"],
  close: ["Done", "Fertig"],
  details: ["Details", "Einzelheiten"],
  how: ["How this works", "So funktioniert es"],

  notEnrolled: ["This device is not enrolled here yet", "Dieses Gerät ist hier noch nicht eingerichtet"],
  notEnrolledLead: [
    "To log in at {server} with this device, you need an invitation.",
    "Um sich bei {server} mit diesem Gerät anzumelden, brauchen Sie eine Einladung.",
  ],
  notKept: [
    "Enrolled here before? Then the browser has deleted it.",
    "Hier schon eingerichtet? Dann hat der Browser es gelöscht.",
  ],
  step1: [
    "Ask your administrator, or run {command} on the host. A QR code appears in the terminal.",
    "Fragen Sie Ihre Administration oder starten Sie {command} auf dem Rechner. Im Terminal erscheint ein "
      + "QR-Code.",
  ],
  step2: [
    "Scan the QR code with the camera of this device.",
    "Scannen Sie den QR-Code mit der Kamera dieses Geräts.",
  ],
  step3: [
    "Choose a PIN. It never leaves this device.",
    "Wählen Sie eine PIN. Sie verlässt dieses Gerät nie.",
  ],
  sessionElsewhere: [
    "You scanned a login, but this browser has no identity. Private tabs, other browsers and the app on "
      + "the home screen each have their own. If you enrolled in one of them, open this page there and "
      + "type the seven digits that the console shows.",
    "Sie haben eine Anmeldung gescannt, aber dieser Browser hat keine Identität. Private Tabs, andere "
      + "Browser und die App auf dem Home-Bildschirm haben jeweils eigene. Wenn Sie sich dort eingerichtet "
      + "haben, öffnen Sie diese Seite dort und tippen Sie die sieben Ziffern der Konsole ein.",
  ],
  byCode: ["Type name and code", "Name und Code eintippen"],
  byCodeLead: [
    "Both are in your invitation. You can also paste its whole address as the name.",
    "Beides steht in Ihrer Einladung. Sie können auch die ganze Adresse als Namen einfügen.",
  ],
  name: ["Name", "Name"],
  code: ["Code", "Code"],

  home: ["Approve a login", "Anmeldung bestätigen"],
  homeLead: [
    "Scan the QR code on the console with your camera, or type its seven digits here.",
    "Scannen Sie den QR-Code der Konsole mit der Kamera, oder tippen Sie die sieben Ziffern hier ein.",
  ],
  number: ["Seven digits from the console", "Sieben Ziffern der Konsole"],
  notANumber: [
    "These are not the seven digits of a login.",
    "Das sind nicht die sieben Ziffern einer Anmeldung.",
  ],
  here: ["On this device", "Auf diesem Gerät"],
  remove: ["Remove", "Entfernen"],
  removeOf: ["Remove {label}", "{label} entfernen"],
  removeTitle: ["Remove {label} from this device?", "{label} von diesem Gerät entfernen?"],
  removeLead: [
    "This device can then no longer approve logins for it. To use it again, you need a new invitation. If "
      + "the device is lost or given away, have the registration revoked, too.",
    "Dieses Gerät kann dann keine Anmeldung mehr dafür bestätigen. Danach brauchen Sie eine neue "
      + "Einladung. Wenn das Gerät verloren ist oder weitergegeben wird, lassen Sie auch die Registrierung "
      + "widerrufen.",
  ],
  pendingTitle: ["Enrolling {name} is not finished.", "Das Einrichten von {name} ist noch nicht fertig."],
  goOn: ["Go on", "Fortsetzen"],
  drop: ["Discard", "Verwerfen"],

  enrolTitle: ["Enrol this device", "Dieses Gerät einrichten"],
  enrolLead: [
    "It can then approve logins for {name} at {server}.",
    "Es kann dann Anmeldungen für {name} bei {server} bestätigen.",
  ],
  enrolWarning: [
    "Continue only if you expected this invitation.",
    "Nur fortfahren, wenn Sie diese Einladung erwartet haben.",
  ],
  server: ["Server", "Server"],
  choosePIN: ["Choose a PIN", "PIN wählen"],
  repeatPIN: ["Repeat the PIN", "PIN wiederholen"],
  chooseLead: [
    "{n} digits or more. Do not use it for anything else.",
    "{n} Ziffern oder mehr. Verwenden Sie sie für nichts anderes.",
  ],
  phraseLead: [
    "Four words are good. Do not use them for anything else.",
    "Vier Wörter sind gut. Verwenden Sie sie für nichts anderes.",
  ],
  choosePassphrase: ["Choose a passphrase", "Passphrase wählen"],
  repeatPassphrase: ["Repeat the passphrase", "Passphrase wiederholen"],
  differ: ["The two did not match. Choose again.", "Die beiden stimmten nicht überein. Bitte neu wählen."],
  useText: ["Use a passphrase", "Passphrase nehmen"],
  useDigits: ["Use digits", "Ziffern nehmen"],
  passphrase: ["Passphrase", "Passphrase"],
  good: ["Good", "Gut"],
  fair: ["Easy to guess. A longer one is better.", "Leicht zu erraten. Länger ist besser."],
  fault: [
    "Choose another one: this would be guessed first.",
    "Bitte eine andere: diese würde zuerst geraten.",
  ],
  "fault.short": ["At least four characters.", "Mindestens vier Zeichen."],
  "fault.asked": [
    "At least {n} characters: this server asks for that.",
    "Mindestens {n} Zeichen: Dieser Server verlangt das.",
  ],
  "fault.date": ["This server allows no date as a PIN.", "Dieser Server erlaubt kein Datum als PIN."],
  "fault.long": ["At most 128 characters.", "Höchstens 128 Zeichen."],
  "fault.name": ["Not your name, please.", "Bitte nicht Ihr Name."],
  "fault.notPIN": [
    "Only plain letters, digits and symbols, and nothing that looks like an approval code.",
    "Nur einfache Buchstaben (kein ä, ö, ü, ß), Ziffern und Zeichen, und nichts, was wie ein "
      + "Bestätigungscode aussieht.",
  ],
  enrolling: ["Enrolling", "Einrichten"],
  stageRegister: ["Register with the server", "Beim Server registrieren"],
  stageShares: ["Receive the key, in two halves", "Schlüssel in zwei Hälften empfangen"],
  stageProve: ["Test it with one login", "Mit einer Anmeldung ausprobieren"],
  enrolled: ["This device is enrolled", "Dieses Gerät ist eingerichtet"],
  enrolledLead: ["{label} is kept on this device.", "{label} ist auf diesem Gerät gespeichert."],
  nextBind: [
    "What comes next: the host must allow this device. Press Enter at the terminal; it draws a second "
      + "QR code, which you scan too. Without such a terminal, run {command} on the host.",
    "Als Nächstes muss der Rechner dieses Gerät zulassen. Drücken Sie am Terminal die Eingabetaste; es "
      + "zeichnet einen zweiten QR-Code, den Sie auch scannen. Ohne ein solches Terminal starten Sie "
      + "{command} auf dem Rechner.",
  ],
  unproved: ["Enrolled, but not tested", "Eingerichtet, aber nicht ausprobiert"],
  unprovedLead: [
    "{label} is kept on this device, but the test login did not take place. Your next login will show "
      + "whether it works.",
    "{label} ist auf diesem Gerät gespeichert, aber die Probe-Anmeldung kam nicht zustande. Ihre nächste "
      + "Anmeldung wird zeigen, ob es geht.",
  ],
  identityID: ["Identity", "Identität"],

  iosTitle: ["Add it to the home screen first", "Zuerst auf den Home-Bildschirm"],
  iosWhy: [
    "Safari deletes the data of a site that you have not used for seven days. An app on the home screen "
      + "keeps its data. It has its own storage, so install it before you enrol.",
    "Safari löscht, was eine Website speichert, wenn Sie sie sieben Tage nicht benutzen. Eine App auf dem "
      + "Home-Bildschirm behält es. Sie hat einen eigenen Speicher, also erst installieren, dann "
      + "einrichten.",
  ],
  ios1: ["Copy the invitation.", "Kopieren Sie die Einladung."],
  ios2: ["Tap Share, then Add to Home Screen.", "Tippen Sie auf Teilen, dann auf Zum Home-Bildschirm."],
  ios3: [
    "Open M-Pin there, choose Type name and code, and paste.",
    "Öffnen Sie dort M-Pin, wählen Sie Name und Code eintippen und fügen Sie ein.",
  ],
  iosNote: [
    "The camera opens the browser, not the app: in the app you type the seven digits of a login. Stay in the "
      + "browser if you will use this page every week.",
    "Die Kamera öffnet den Browser, nicht die App: In der App tippen Sie die sieben Ziffern einer Anmeldung "
      + "ein. Bleiben Sie im Browser, wenn Sie diese Seite jede Woche benutzen.",
  ],
  copy: ["Copy the invitation", "Einladung kopieren"],
  copied: ["Copied", "Kopiert"],
  stay: ["Stay in the browser", "Im Browser bleiben"],

  askConsole: ["Log in to {host} as {account}?", "Auf {host} als {account} anmelden?"],
  askBrowser: ["Log in to a web page at {host}?", "Bei einer Webseite an {host} anmelden?"],
  askBind: [
    "Allow this device to approve logins of {account} on {host}?",
    "Diesem Gerät erlauben, Anmeldungen von {account} auf {host} zu bestätigen?",
  ],
  askedBy: ["Asked by {service}, {ago}, {source}", "Gefragt von {service}, {ago}, {source}"],
  asked: ["Asked {ago}, {source}", "Gefragt {ago}, {source}"],
  fromHere: ["from the machine itself", "vom Rechner selbst"],
  fromHereUser: ["from the machine itself (user {user})", "vom Rechner selbst (Benutzer {user})"],
  fromServer: ["from a program on the server's machine", "von einem Programm auf dem Serverrechner"],
  fromUnknown: ["from an unknown place", "von unbekannter Stelle"],
  fromAddress: ["from {address}", "von {address}"],
  pageSays: ["The page says, and nobody checked it:", "Die Seite sagt, und niemand hat es geprüft:"],
  typePIN: ["Type your PIN if this was you.", "Geben Sie Ihre PIN ein, wenn Sie das waren."],
  bindWarning: [
    "Only if you sit at this terminal yourself.",
    "Nur wenn Sie selbst an diesem Terminal sitzen.",
  ],
  browserWarning: [
    "There is no approval code: whoever shows this QR code is logged in as you.",
    "Ohne Bestätigungscode: Wer diesen QR-Code zeigt, wird als Sie angemeldet.",
  ],
  notMe: ["This was not me", "Das war ich nicht"],
  notMeTitle: ["Refuse this login?", "Diese Anmeldung ablehnen?"],
  notMeLead: [
    "Your PIN proves that the refusal comes from you. For one hour you will not be asked about logins to "
      + "{host} from the same place.",
    "Ihre PIN zeigt, dass Sie es sind. Eine Stunde lang werden Sie zu Anmeldungen auf {host} von derselben "
      + "Stelle nicht mehr gefragt.",
  ],
  notMeBrowser: ["Your PIN proves that the refusal comes from you.", "Ihre PIN zeigt, dass Sie es sind."],
  detailHost: ["Host", "Rechner"],
  detailAccount: ["Account", "Konto"],
  detailService: ["Service", "Dienst"],
  detailSource: ["Source", "Herkunft"],
  detailTime: ["Time", "Zeit"],
  detailAttempt: ["Attempt", "Versuch"],
  detailLabel: ["Identity", "Identität"],
  whichOne: ["Which identity?", "Welche Identität?"],
  whichLead: ["More than one fits this login.", "Mehr als eine passt zu dieser Anmeldung."],
  looking: ["Looking up the login", "Anmeldung wird gesucht"],
  proving: ["Proving your PIN", "PIN wird bewiesen"],
  pad: ["PIN", "PIN"],
  erase: ["Delete the last digit", "Letzte Ziffer löschen"],
  confirm: ["Confirm", "Bestätigen"],
  typedCount: ["{count} typed", "{count} eingegeben"],

  waitFor: ["Try again in {time}.", "Noch einmal in {time}."],
  typeCode: ["Type this approval code at the console", "Diesen Bestätigungscode an der Konsole eintippen"],
  typeCodeLead: [
    "Only at the console in front of you. Do not tell it to anyone; no one needs it from you.",
    "Nur an der Konsole vor Ihnen. Sagen Sie ihn niemandem; niemand braucht ihn von Ihnen.",
  ],
  typeCodeBind: [
    "Only at the terminal in front of you. A code that you pass on by telephone protects nothing.",
    "Nur an dem Terminal vor Ihnen. Ein Code, den Sie am Telefon weitersagen, schützt nichts.",
  ],
  compare: ["Compare {id} with the terminal.", "Vergleichen Sie {id} mit dem Terminal."],
  codeLeft: ["{seconds} seconds left", "noch {seconds} Sekunden"],
  codeGone: ["Time is up", "Die Zeit ist um"],
  codeGoneLead: [
    "The login has ended, and its code with it. Begin again at the console if you need to.",
    "Die Anmeldung ist vorbei und ihr Code auch. Beginnen Sie bei Bedarf an der Konsole neu.",
  ],
  approved: ["Approved", "Bestätigt"],
  approvedBrowser: ["Go on in the browser that asked.", "Machen Sie in dem Browser weiter, der gefragt hat."],
  warnTries: [
    "{tries} before this device is blocked. A new PIN resets the count.",
    "{tries}, bevor dieses Gerät gesperrt wird. Eine neue PIN setzt die Zählung zurück.",
  ],
  warnUnknown: [
    "The server's notice of wrong PINs is missing or not authentic. An attacker may be between this device "
      + "and the server: tell your administrator.",
    "Die Mitteilung des Servers über falsche PINs fehlt oder ist nicht echt. Vielleicht ist jemand "
      + "dazwischen: Sagen Sie es Ihrer Administration.",
  ],
  warnWrong: [
    "Since your last login: {wrong}, the last at {time} {source}. If that was not you, tell your "
      + "administrator.",
    "Seit Ihrer letzten Anmeldung: {wrong}, zuletzt {time} {source}. Wenn Sie das nicht waren, sagen Sie "
      + "es Ihrer Administration.",
  ],
};
