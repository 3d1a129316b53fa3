// SPDX-License-Identifier: Apache-2.0
// The texts of the screens in English; {name} stands for a value. en-endings.js has the endings.
/** By the plural forms of Intl.PluralRules. */
export const counted = {
  tries: { one: "one try left", other: "{n} tries left" },
  wrong: { one: "one wrong PIN", other: "{n} wrong PINs" },
};

export const table = {
  next: "Continue",
  cancel: "Cancel",
  back: "Back",
  again: "Try again",
  close: "Done",
  details: "Details",
  how: "How this works",

  notEnrolled: "This device is not enrolled here yet",
  notEnrolledLead: "To log in at {server} with this device, you need an invitation.",
  notKept: "Enrolled here before? Then the browser has deleted it.",
  step1: "Ask your administrator, or run {command} on the host. A QR code appears in the terminal.",
  step2: "Scan the QR code with the camera of this device.",
  step3: "Choose a PIN. It never leaves this device.",
  sessionElsewhere:
    "You scanned a login, but this browser has no identity. Private tabs, other browsers and the app on "
    + "the home screen each have their own. If you enrolled in one of them, open this page there and type "
    + "the seven digits that the console shows.",
  byCode: "Type name and code",
  byCodeLead: "Both are in your invitation. You can also paste its whole address as the name.",
  name: "Name",
  code: "Code",

  home: "Approve a login",
  waitingNone: "No login waits for this device.",
  waitingSome: "Choose the one whose number your console shows.",
  waitingStopped: "Stopped looking after two minutes.",
  waitingAgain: "Look again",
  waitingNotOffered: "This server does not say which logins wait.",
  waitingTooOften: "This device has asked too often. Look again in {time}.",
  homeLead: "You can also scan the QR code on the console with your camera, or type its seven digits here.",
  number: "Seven digits from the console",
  notANumber: "These are not the seven digits of a login.",
  here: "On this device",
  settings: "Settings",
  settingsOf: "Settings of {label}",
  noSettings: "There is nothing to set for it here now.",
  "state.spoilt": "It cannot be read. Enrol this device again.",
  "state.newer": "A newer version of this page stored it. Reload the page.",
  remove: "Remove",
  removeOf: "Remove {label}",
  removeTitle: "Remove {label} from this device?",
  removeLead:
    "This device can then no longer approve logins for it. To use it again, you need a new invitation. "
    + "If the device is lost or given away, have the registration revoked, too.",
  pendingTitle: "Enrolling {name} is not finished.",
  goOn: "Go on",
  drop: "Discard",

  enrolTitle: "Enrol this device",
  enrolLead: "It can then approve logins for {name} at {server}.",
  enrolWarning: "Continue only if you expected this invitation.",
  server: "Server",
  choosePIN: "Choose a PIN",
  repeatPIN: "Repeat the PIN",
  chooseLead: "{n} digits or more. Do not use it for anything else.",
  phraseLead: "Four words are good. Do not use them for anything else.",
  choosePassphrase: "Choose a passphrase",
  repeatPassphrase: "Repeat the passphrase",
  differ: "The two did not match. Choose again.",
  useText: "Use a passphrase",
  useDigits: "Use digits",
  passphrase: "Passphrase",
  good: "Good",
  fair: "Easy to guess. A longer one is better.",
  fault: "Choose another one: this would be guessed first.",
  "fault.short": "At least four characters.",
  "fault.asked": "At least {n} characters: this server asks for that.",
  "fault.date": "This server allows no date as a PIN.",
  "fault.long": "At most 128 characters.",
  "fault.name": "Not your name, please.",
  "fault.notPIN": "Only plain letters, digits and symbols, and nothing that looks like an approval code.",
  enrolling: "Enrolling",
  stageRegister: "Register with the server",
  stageShares: "Receive the key, in two halves",
  stageProve: "Test it with one login",
  enrolled: "This device is enrolled",
  enrolledLead: "{label} is kept on this device.",
  nextBind:
    "What comes next: the host must allow this device. Press Enter at the terminal; it draws a second QR "
    + "code, which you scan too. Without such a terminal, run {command} on the host.",
  unproved: "Enrolled, but not tested",
  unprovedLead:
    "{label} is kept on this device, but the test login did not take place. Your next login will show "
    + "whether it works.",
  identityID: "Identity",

  iosTitle: "Add it to the home screen first",
  iosWhy:
    "Safari deletes the data of a site that you have not used for seven days. An app on the home screen "
    + "keeps its data. It has its own storage, so install it before you enrol.",
  ios1: "Copy the invitation.",
  ios2: "Tap Share, then Add to Home Screen.",
  ios3: "Open M-Pin there, choose Type name and code, and paste.",
  iosNote:
    "The camera opens the browser, not the app: in the app you type the seven digits of a login. Stay in "
    + "the browser if you will use this page every week.",
  copy: "Copy the invitation",
  copied: "Copied",
  stay: "Stay in the browser",

  askConsole: "Log in to {host} as {account}?",
  askBrowser: "Log in to a web page at {host}?",
  askBind: "Allow this device to approve logins of {account} on {host}?",
  askedBy: "Asked by {service}, {ago}, {source}",
  asked: "Asked {ago}, {source}",
  fromHere: "from the machine itself",
  fromHereUser: "from the machine itself (user {user})",
  fromServer: "from a program on the server's machine",
  fromUnknown: "from an unknown place",
  fromAddress: "from {address}",
  pageSays: "The page says, and nobody checked it:",
  typePIN: "Type your PIN if this was you.",
  bindWarning: "Only if you sit at this terminal yourself.",
  browserWarning: "There is no approval code: whoever shows this QR code is logged in as you.",
  notMe: "This was not me",
  notMeTitle: "Refuse this login?",
  notMeLead:
    "Your PIN proves that the refusal comes from you. For one hour you will not be asked about logins to "
    + "{host} from the same place.",
  notMeBrowser: "Your PIN proves that the refusal comes from you.",
  detailHost: "Host",
  detailAccount: "Account",
  detailService: "Service",
  detailSource: "Source",
  detailTime: "Time",
  detailAttempt: "Attempt",
  detailLabel: "Identity",
  whichOne: "Which identity?",
  whichLead: "More than one fits this login.",
  looking: "Looking up the login",
  proving: "Proving your PIN",
  pad: "PIN",
  erase: "Delete the last digit",
  confirm: "Confirm",
  typedCount: "{count} typed",

  unlockTitle: "Instead of typing the PIN",
  unlockLead:
    "Your device or a security key checks that it is you, and then unlocks the PIN. The PIN still works.",
  "unlock.platform": "Use fingerprint or face",
  "unlock.roaming": "Use a security key",
  "unlockOn.platform": "Your fingerprint or face unlocks the PIN on this device. The PIN still works.",
  "unlockOn.roaming": "Your security key unlocks the PIN on this device. The PIN still works.",
  unlockStop: "Always type the PIN",
  unlockHint: "Only if this was you.",
  typeIt: "Type the PIN",
  unlockFailed: "That did not unlock the PIN. Type it instead.",
  unlockStale:
    "The PIN was changed elsewhere, so this device has forgotten it. Type the new one; after that you can "
    + "set up fingerprint, face or security key again.",
  unlockUse: "Once more, to try it",
  unlockUseLead: "Your device or security key asks a second time. Then you type your PIN.",
  unlockProve: "Type the PIN of this device",
  unlockProveLead: "The server checks it. A wrong PIN counts.",
  unlockFor: "It is then unlocked for {label} without typing.",
  unlockDone: "It is set up",
  unlockNotDone: "It is not set up",
  unlockCannot:
    "This device or security key cannot unlock a PIN. Try another one, or go on typing the PIN.",
  unlockCancelled: "It was cancelled, or you were not recognised. You can go on typing the PIN.",

  waitFor: "Try again in {time}.",
  typeCode: "Type this approval code at the console",
  typeCodeLead: "Only at the console in front of you. Do not tell it to anyone; no one needs it from you.",
  typeCodeBind:
    "Only at the terminal in front of you. A code that you pass on by telephone protects nothing.",
  compare: "Compare {id} with the terminal.",
  codeLeft: "{seconds} seconds left",
  codeGone: "Time is up",
  codeGoneLead: "The login has ended, and its code with it. Begin again at the console if you need to.",
  approved: "Approved",
  approvedBrowser: "Go on in the browser that asked.",
  warnTries: "{tries} before this device is blocked. A new PIN resets the count.",
  warnUnknown:
    "The server's notice of wrong PINs is missing or not authentic. An attacker may be between this "
    + "device and the server: tell your administrator.",
  warnWrong:
    "Since your last login: {wrong}, the last at {time} {source}. If that was not you, tell your "
    + "administrator.",
};
