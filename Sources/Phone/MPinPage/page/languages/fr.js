// SPDX-License-Identifier: Apache-2.0
// The texts of the screens in French; {name} stands for a value. fr-endings.js has the endings.
// The spelling alphabet is that of the French telephone service.
export const spelling =
  "Berthe Célestin Désiré François Gaston Henri Joseph Kléber Louis Marcel Nicolas Pierre Quintal Raoul "
  + "Suzanne Thérèse Victor William Xavier Zoé";

/** By the plural forms of Intl.PluralRules. */
export const counted = {
  tries: { one: "encore {n} essai", other: "encore {n} essais" },
  wrong: { one: "{n} code PIN erroné", other: "{n} codes PIN erronés" },
};

export const table = {
  next: "Continuer",
  cancel: "Annuler",
  back: "Retour",
  again: "Réessayer",
  close: "Terminé",
  details: "Détails",
  how: "Comment ça marche",

  notEnrolled: "Cet appareil n’est pas encore enregistré ici",
  notEnrolledLead: "Pour vous connecter à {server} avec cet appareil, il vous faut une invitation.",
  notKept: "Déjà enregistré ici\u00a0? Alors le navigateur l’a effacé.",
  step1:
    "Demandez à votre administrateur, ou lancez {command} sur la machine. Un code QR s’affiche dans le "
    + "terminal.",
  step2: "Scannez le code QR avec l’appareil photo de cet appareil.",
  step3: "Choisissez un code PIN. Il ne quitte jamais cet appareil.",
  sessionElsewhere:
    "Vous avez scanné une connexion, mais ce navigateur n’a aucune identité. Les onglets privés, les "
    + "autres navigateurs et l’application de l’écran d’accueil ont chacun les leurs. Si vous vous êtes "
    + "enregistré dans l’un d’eux, ouvrez-y cette page et saisissez les sept chiffres que la console "
    + "affiche.",
  byCode: "Saisir nom et code",
  byCodeLead:
    "Les deux figurent dans votre invitation. Vous pouvez aussi coller son adresse entière comme nom.",
  name: "Nom",
  code: "Code",

  home: "Approuver une connexion",
  waitingNone: "Aucune connexion n’attend cet appareil.",
  waitingSome: "Choisissez celle dont votre console affiche le numéro.",
  waitingStopped: "La recherche s’est arrêtée après deux minutes.",
  waitingAgain: "Chercher à nouveau",
  waitingNotOffered: "Ce serveur ne dit pas quelles connexions attendent.",
  waitingTooOften: "Cet appareil a demandé trop souvent. Cherchez à nouveau dans {time}.",
  homeLead:
    "Vous pouvez aussi scanner le code QR de la console avec l’appareil photo, ou saisir ici ses sept "
    + "chiffres.",
  number: "Sept chiffres de la console",
  notANumber: "Ce ne sont pas les sept chiffres d’une connexion.",
  here: "Sur cet appareil",
  settings: "Réglages",
  settingsOf: "Réglages de {label}",
  noSettings: "Il n’y a rien à régler ici pour le moment.",
  "state.spoilt": "Elle est illisible. Enregistrez à nouveau cet appareil.",
  "state.newer": "Une version plus récente de cette page l’a enregistrée. Rechargez la page.",
  remove: "Retirer",
  removeOf: "Retirer {label}",
  removeTitle: "Retirer {label} de cet appareil\u00a0?",
  removeLead:
    "Cet appareil ne pourra plus approuver de connexions pour elle. Pour l’utiliser de nouveau, il vous "
    + "faut une nouvelle invitation. Si l’appareil est perdu ou cédé, faites aussi révoquer "
    + "l’enregistrement.",
  pendingTitle: "L’enregistrement de {name} n’est pas terminé.",
  goOn: "Reprendre",
  drop: "Abandonner",

  enrolTitle: "Enregistrer cet appareil",
  enrolLead: "Il pourra alors approuver les connexions de {name} à {server}.",
  enrolWarning: "Ne continuez que si vous attendiez cette invitation.",
  server: "Serveur",
  choosePIN: "Choisissez un code PIN",
  repeatPIN: "Répétez le code PIN",
  chooseLead: "{n} chiffres ou plus. Ne l’utilisez pour rien d’autre.",
  phraseLead: "Quatre mots suffisent. Ne les utilisez pour rien d’autre.",
  choosePassphrase: "Choisissez une phrase de passe",
  repeatPassphrase: "Répétez la phrase de passe",
  differ: "Les deux saisies diffèrent. Choisissez de nouveau.",
  useText: "Phrase de passe",
  useDigits: "Chiffres",
  passphrase: "Phrase de passe",
  good: "Bien",
  fair: "Facile à deviner. Plus long, c’est mieux.",
  fault: "Choisissez-en un autre\u00a0: celui-ci serait essayé en premier.",
  "fault.short": "Au moins quatre caractères.",
  "fault.asked": "Au moins {n} caractères\u00a0: ce serveur l’exige.",
  "fault.date": "Ce serveur n’accepte pas une date comme code PIN.",
  "fault.long": "128 caractères au plus.",
  "fault.name": "Pas votre nom, s’il vous plaît.",
  "fault.notPIN":
    "Seulement des lettres sans accent, des chiffres et des symboles, et rien qui ressemble à un code "
    + "d’approbation.",
  enrolling: "Enregistrement en cours",
  stageRegister: "S’enregistrer auprès du serveur",
  stageShares: "Recevoir la clé, en deux moitiés",
  stageProve: "L’essayer par une connexion",
  enrolled: "Cet appareil est enregistré",
  enrolledLead: "{label} est conservé sur cet appareil.",
  nextBind:
    "Étape suivante\u00a0: la machine doit autoriser cet appareil. Appuyez sur Entrée dans le "
    + "terminal\u00a0; il affiche un second code QR, à scanner aussi. Sans un tel terminal, lancez "
    + "{command} sur la machine.",
  unproved: "Enregistré, mais pas essayé",
  unprovedLead:
    "{label} est conservé sur cet appareil, mais la connexion d’essai n’a pas eu lieu. Votre prochaine "
    + "connexion montrera si cela fonctionne.",
  identityID: "Identité",

  iosTitle: "Ajoutez d’abord la page à l’écran d’accueil",
  iosWhy:
    "Safari efface les données d’un site que vous n’avez pas utilisé pendant sept jours. Une application "
    + "de l’écran d’accueil garde ses données. Elle a son propre stockage\u00a0: installez-la donc avant "
    + "de vous enregistrer.",
  ios1: "Copiez l’invitation.",
  ios2: "Touchez Partager, puis Sur l’écran d’accueil.",
  ios3: "Ouvrez-y M-Pin, choisissez Saisir nom et code, puis collez.",
  iosNote:
    "L’appareil photo ouvre le navigateur, pas l’application\u00a0: dans l’application, vous saisissez "
    + "les sept chiffres d’une connexion. Restez dans le navigateur si vous utilisez cette page chaque "
    + "semaine.",
  copy: "Copier l’invitation",
  copied: "Copiée",
  stay: "Rester dans le navigateur",

  askConsole: "Se connecter à {host} en tant que {account}\u00a0?",
  askBrowser: "Se connecter à une page web sur {host}\u00a0?",
  askBind: "Autoriser cet appareil à approuver les connexions de {account} sur {host}\u00a0?",
  askedBy: "Demandé par {service}, {ago}, {source}",
  asked: "Demandé {ago}, {source}",
  fromHere: "depuis la machine elle-même",
  fromHereUser: "depuis la machine elle-même (utilisateur {user})",
  fromServer: "depuis un programme sur la machine du serveur",
  fromUnknown: "depuis un lieu inconnu",
  fromAddress: "depuis {address}",
  pageSays: "La page affirme, et personne ne l’a vérifié\u00a0:",
  typePIN: "Saisissez votre code PIN si c’était vous.",
  bindWarning: "Seulement si vous êtes vous-même devant ce terminal.",
  browserWarning:
    "Il n’y a pas de code d’approbation\u00a0: quiconque affiche ce code QR est connecté à votre place.",
  notMe: "Ce n’était pas moi",
  notMeTitle: "Refuser cette connexion\u00a0?",
  notMeLead:
    "Votre code PIN prouve que le refus vient de vous. Pendant une heure, vous ne serez pas sollicité "
    + "pour des connexions à {host} depuis le même endroit.",
  notMeBrowser: "Votre code PIN prouve que le refus vient de vous.",
  detailHost: "Machine",
  detailAccount: "Compte",
  detailService: "Service",
  detailSource: "Origine",
  detailTime: "Heure",
  detailAttempt: "Tentative",
  detailLabel: "Identité",
  whichOne: "Quelle identité\u00a0?",
  whichLead: "Plusieurs conviennent à cette connexion.",
  looking: "Recherche de la connexion",
  proving: "Vérification du code PIN",
  pad: "Code PIN",
  erase: "Effacer le dernier chiffre",
  confirm: "Confirmer",
  typedCount: "Chiffres saisis\u00a0: {count}",
  unlockTitle: "Au lieu de saisir le code PIN",
  unlockLead:
    "Votre appareil ou une clé de sécurité vérifie que c’est vous, puis déverrouille le code PIN. Le "
    + "code PIN reste valable.",
  "unlock.platform": "Utiliser empreinte ou visage",
  "unlock.roaming": "Utiliser une clé de sécurité",
  "unlockOn.platform":
    "Votre empreinte ou votre visage déverrouille le code PIN sur cet appareil. Le code PIN reste "
    + "valable.",
  "unlockOn.roaming":
    "Votre clé de sécurité déverrouille le code PIN sur cet appareil. Le code PIN reste valable.",
  unlockStop: "Toujours saisir le code PIN",
  unlockHint: "Seulement si c’était vous.",
  typeIt: "Saisir le code PIN",
  unlockFailed: "Cela n’a pas déverrouillé le code PIN. Saisissez-le.",
  unlockStale:
    "Le code PIN a été changé ailleurs, cet appareil l’a donc oublié. Saisissez le nouveau\u00a0; "
    + "ensuite vous pourrez configurer à nouveau empreinte, visage ou clé de sécurité.",
  unlockUse: "Encore une fois, pour essayer",
  unlockUseLead:
    "Votre appareil ou votre clé de sécurité demande une seconde fois. Ensuite, vous saisissez votre "
    + "code PIN.",
  unlockProve: "Saisissez le code PIN de cet appareil",
  unlockProveLead: "Le serveur le vérifie. Un code PIN erroné compte.",
  unlockFor: "Il est ensuite déverrouillé pour {label} sans saisie.",
  unlockDone: "C’est configuré",
  unlockNotDone: "Ce n’est pas configuré",
  unlockCannot:
    "Cet appareil ou cette clé de sécurité ne peut pas déverrouiller un code PIN. Essayez-en un autre, "
    + "ou continuez à saisir le code PIN.",
  unlockCancelled:
    "L’opération a été annulée, ou vous n’avez pas été reconnu. Vous pouvez continuer à saisir le code "
    + "PIN.",

  waitFor: "Réessayez dans {time}.",
  typeCode: "Saisissez ce code d’approbation sur la console",
  typeCodeLead:
    "Seulement sur la console devant vous. Ne le dites à personne\u00a0; personne n’a à vous le demander.",
  typeCodeBind: "Seulement sur le terminal devant vous. Un code transmis par téléphone ne protège rien.",
  compare: "Comparez {id} avec le terminal.",
  codeLeft: "Secondes restantes\u00a0: {seconds}",
  codeGone: "Le temps est écoulé",
  codeGoneLead: "La connexion est terminée, et son code avec elle. Recommencez sur la console si nécessaire.",
  approved: "Approuvé",
  approvedBrowser: "Continuez dans le navigateur qui l’a demandé.",
  warnTries: "{tries} avant que cet appareil soit bloqué. Un nouveau code PIN remet le compte à zéro.",
  warnUnknown:
    "L’avis du serveur sur les codes PIN erronés manque ou n’est pas authentique. Un attaquant se trouve "
    + "peut-être entre cet appareil et le serveur\u00a0: prévenez votre administrateur.",
  warnWrong:
    "Depuis votre dernière connexion\u00a0: {wrong}, le dernier le {time} {source}. Si ce n’était pas "
    + "vous, prévenez votre administrateur.",
};
