// SPDX-License-Identifier: Apache-2.0
// The endings of a flow in English, each with its title and its explanation, and the texts of "How this
// works".
export const ends = {
  denied: ["Refused", "That login is over. Your administrator can see it in the audit trail."],
  declined: ["Cancelled", "Nothing was approved."],
  noSession: [
    "This login is over",
    "It has expired or was answered, or this device is not allowed yet, or you refused logins from "
      + "there. Begin again at the console.",
  ],
  otherOrigin: [
    "Not from this server",
    "The QR code or number belongs to another server. Nothing was sent to it.",
  ],
  otherSession: [
    "Not the login you scanned",
    "The server answered for another login. Nothing was approved. Tell your administrator.",
  ],
  otherIdentity: [
    "Not for this device",
    "The login asks for another identity, or this device is not allowed yet, or you refused logins "
      + "from there.",
  ],
  wrongPIN: ["Wrong PIN", "Nothing was approved."],
  locked: ["Locked for now", "There were too many wrong PINs."],
  blocked: ["Blocked", "There were too many wrong PINs. Only your administrator can unlock this device."],
  expired: [
    "Enrol this device again",
    "Its enrolment has expired. Ask your administrator for a new invitation.",
  ],
  lostKey: [
    "Enrol this device again",
    "The server no longer knows this device's key. Nothing was sent. Ask your administrator for a new "
      + "invitation.",
  ],
  revoked: [
    "Suspended or revoked",
    "Your administrator has suspended or withdrawn this identity. Do not remove it before you have "
      + "asked your administrator.",
  ],
  unavailable: ["No answer from the server", "Check the connection of this device, then try again."],
  noPIN: ["That cannot be a PIN", "Nothing was sent."],
  withdrawn: [
    "The registration was withdrawn",
    "The test login after it was refused. Ask your administrator for a new invitation.",
  ],
  notVerified: ["The invitation is not valid", "Its code is wrong, used up or expired. Ask for a new one."],
  notAuthorized: ["Not allowed", "The server does not let you register."],
  full: ["The server is busy", "Try again in a while."],
  application: [
    "Not with this page",
    "This is a login to an application. Use mpin authcode or an app. Nothing was approved.",
  ],
  pinRefused: ["The server refuses this PIN", "Choose another one."],
  notStored: [
    "This browser could not store it",
    "Storage is full or not allowed. Free some space, or leave private browsing, then try again.",
  ],
  notUnderstood: [
    "This is not an M-Pin QR code",
    "The address could not be read. Scan it again, or type the seven digits.",
  ],
  failed: [
    "That did not work",
    "An unexpected error occurred. Nothing was approved. Try again, or ask your administrator.",
  ],
  lost: [
    "This browser has lost your identity",
    "This device was enrolled, but the browser has deleted its data: because its storage was cleared "
      + "or, on Apple devices, because the page was not used for seven days. Ask your administrator for a "
      + "new invitation, and have the old registration revoked.",
  ],
  unread: [
    "This browser's storage cannot be read",
    "Nothing was changed. Close other tabs of this page, restart the browser and try again. If that does not "
      + "help, ask your administrator for a new invitation.",
  ],
  newer: [
    "This page is older than what it stored",
    "A newer version of this page was open in this browser. Nothing was changed. Reload the page.",
  ],
  noStorage: [
    "This browser cannot store anything",
    "Private tabs have no permanent storage. Open this page in an ordinary tab.",
  ],
  tooOld: ["This browser is too old", "You need iOS 16 or Chrome 103, or newer."],
  insecure: ["This address is not secure", "The page works only at an address that begins with https."],
  framed: [
    "Open this page by itself",
    "It was embedded in another page and refuses to run there. Do not type your PIN.",
  ],
};

export const honest = [
  [
    "Your PIN stays here",
    "This browser keeps half of a key; your PIN is the other half. Together they prove who you are, "
      + "and neither is sent. A thief who has the device can try PINs only at the server, which counts and "
      + "locks. Guessing without the server takes both the device and the server's secret.",
  ],
  [
    "The code is for your console",
    "At a console an approval lets nobody in by itself: the approval code must be typed where the "
      + "login began. Do not tell it to anyone. A login to a web page has no code: whoever shows its QR "
      + "code is logged in as you.",
  ],
  [
    "Whom you trust",
    "This page comes from {server}. Whoever controls that server, or the TLS in front of it, can serve "
      + "a page that steals your PIN and your key. If you do not accept that, approve with mpin approve on "
      + "another Linux machine, or with an app made with MPinClient.",
  ],
  [
    "Where it is kept",
    "In this browser only, sealed with a key that scripts cannot copy. Private tabs, other browsers "
      + "and the app on the home screen each have their own storage. Safari deletes it after seven days "
      + "without use, but not in the app on the home screen. If a fingerprint, a face or a security key "
      + "stands for the PIN, the PIN is kept there too, encrypted so that only it can open it.",
  ],
];
