// SPDX-License-Identifier: Apache-2.0
// The endings of a flow in French, each with its title and its explanation, and the texts of "How this
// works".
export const ends = {
  denied: [
    "Refusé",
    "Cette connexion est terminée. Votre administrateur peut la voir dans le journal d’audit.",
  ],
  declined: ["Annulé", "Rien n’a été approuvé."],
  noSession: [
    "Cette connexion est terminée",
    "Elle a expiré ou a reçu une réponse, ou cet appareil n’est pas encore autorisé, ou vous avez "
      + "refusé les connexions de cet endroit. Recommencez sur la console.",
  ],
  otherOrigin: [
    "Pas de ce serveur",
    "Le code QR ou le numéro appartient à un autre serveur. Rien ne lui a été envoyé.",
  ],
  otherSession: [
    "Pas la connexion scannée",
    "Le serveur a répondu pour une autre connexion. Rien n’a été approuvé. Prévenez votre administrateur.",
  ],
  otherIdentity: [
    "Pas pour cet appareil",
    "La connexion demande une autre identité, ou cet appareil n’est pas encore autorisé, ou vous avez "
      + "refusé les connexions de cet endroit.",
  ],
  wrongPIN: ["Code PIN erroné", "Rien n’a été approuvé."],
  locked: ["Verrouillé pour le moment", "Il y a eu trop de codes PIN erronés."],
  blocked: [
    "Bloqué",
    "Il y a eu trop de codes PIN erronés. Seul votre administrateur peut débloquer cet appareil.",
  ],
  expired: [
    "Enregistrez de nouveau cet appareil",
    "Son enregistrement a expiré. Demandez une nouvelle invitation à votre administrateur.",
  ],
  lostKey: [
    "Enregistrez de nouveau cet appareil",
    "Le serveur ne connaît plus la clé de cet appareil. Rien n’a été envoyé. Demandez une nouvelle "
      + "invitation à votre administrateur.",
  ],
  revoked: [
    "Suspendue ou révoquée",
    "Votre administrateur a suspendu ou retiré cette identité. Ne la retirez pas avant de lui avoir demandé.",
  ],
  unavailable: ["Le serveur ne répond pas", "Vérifiez la connexion réseau de cet appareil, puis réessayez."],
  noPIN: ["Ceci ne peut pas être un code PIN", "Rien n’a été envoyé."],
  withdrawn: [
    "L’enregistrement a été retiré",
    "La connexion d’essai a été refusée. Demandez une nouvelle invitation à votre administrateur.",
  ],
  notVerified: [
    "L’invitation n’est pas valable",
    "Son code est faux, déjà utilisé ou expiré. Demandez-en une nouvelle.",
  ],
  notAuthorized: ["Non autorisé", "Le serveur ne vous permet pas de vous enregistrer."],
  full: ["Le serveur est occupé", "Réessayez dans un moment."],
  application: [
    "Pas avec cette page",
    "C’est une connexion à une application. Utilisez mpin authcode ou une application. Rien n’a été "
      + "approuvé.",
  ],
  pinRefused: ["Le serveur refuse ce code PIN", "Choisissez-en un autre."],
  notStored: [
    "Ce navigateur n’a pas pu l’enregistrer",
    "Le stockage est plein ou interdit. Libérez de l’espace ou quittez la navigation privée, puis réessayez.",
  ],
  notUnderstood: [
    "Ce n’est pas un code QR M-Pin",
    "L’adresse est illisible. Scannez-la de nouveau, ou saisissez les sept chiffres.",
  ],
  failed: [
    "Cela n’a pas fonctionné",
    "Une erreur inattendue s’est produite. Rien n’a été approuvé. Réessayez, ou demandez à votre "
      + "administrateur.",
  ],
  lost: [
    "Ce navigateur a perdu votre identité",
    "Cet appareil était enregistré, mais le navigateur a effacé ses données\u00a0: parce que son "
      + "stockage a été vidé ou, sur les appareils Apple, parce que la page n’a pas servi pendant sept "
      + "jours. Demandez à votre administrateur une nouvelle invitation et la révocation de l’ancien "
      + "enregistrement.",
  ],
  unread: [
    "Le stockage de ce navigateur est illisible",
    "Rien n’a été modifié. Fermez les autres onglets de cette page, redémarrez le navigateur et "
      + "réessayez. Si cela n’aide pas, demandez une nouvelle invitation à votre administrateur.",
  ],
  newer: [
    "Cette page est plus ancienne que ce qu’elle a enregistré",
    "Une version plus récente de cette page a été ouverte dans ce navigateur. Rien n’a été "
      + "modifié. Rechargez la page.",
  ],
  noStorage: [
    "Ce navigateur ne peut rien conserver",
    "Les onglets privés n’ont pas de stockage permanent. Ouvrez cette page dans un onglet ordinaire.",
  ],
  tooOld: ["Ce navigateur est trop ancien", "Il vous faut iOS 16, Chrome 103 ou une version plus récente."],
  insecure: [
    "Cette adresse n’est pas sécurisée",
    "La page ne fonctionne qu’à une adresse qui commence par https.",
  ],
  framed: [
    "Ouvrez cette page seule",
    "Elle a été intégrée dans une autre page et refuse d’y fonctionner. Ne saisissez pas votre code PIN.",
  ],
};

export const honest = [
  [
    "Votre code PIN reste ici",
    "Ce navigateur conserve la moitié d’une clé\u00a0; votre code PIN est l’autre moitié. Ensemble, "
      + "elles prouvent qui vous êtes, et aucune n’est envoyée. Qui vole l’appareil ne peut essayer des "
      + "codes PIN qu’auprès du serveur, qui compte et verrouille. Deviner sans le serveur exige "
      + "l’appareil et le secret du serveur.",
  ],
  [
    "Le code est pour votre console",
    "Sur une console, une approbation ne laisse entrer personne à elle seule\u00a0: le code "
      + "d’approbation doit être saisi là où la connexion a commencé. Ne le dites à personne. Une "
      + "connexion à une page web n’a pas de code\u00a0: quiconque affiche son code QR est connecté à "
      + "votre place.",
  ],
  [
    "À qui vous faites confiance",
    "Cette page vient de {server}. Quiconque contrôle ce serveur, ou le TLS placé devant lui, peut "
      + "livrer une page qui vole votre code PIN et votre clé. Si vous ne l’acceptez pas, approuvez avec "
      + "mpin approve sur une autre machine Linux, ou avec une application fondée sur MPinClient.",
  ],
  [
    "Où c’est conservé",
    "Seulement dans ce navigateur, chiffré avec une clé que les scripts ne peuvent pas copier. Les "
      + "onglets privés, les autres navigateurs et l’application de l’écran d’accueil ont chacun leur "
      + "propre stockage. Safari l’efface après sept jours sans utilisation, mais pas dans l’application "
      + "de l’écran d’accueil. Si une empreinte, un visage ou une clé de sécurité remplace le code "
      + "PIN, celui-ci y est aussi conservé, chiffré de sorte qu’eux seuls peuvent l’ouvrir.",
  ],
];
