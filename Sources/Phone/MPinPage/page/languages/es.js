// SPDX-License-Identifier: Apache-2.0
// The texts of the screens in Spanish; {name} stands for a value. es-endings.js has the endings.
// The spelling alphabet is the usual one on the telephone in Spain.
export const spelling =
  "Barcelona Carmen Dolores Francia Gerona Historia José Kilo Lorenzo Madrid Navarra París Querido Ramón "
  + "Sábado Tarragona Valencia Whisky Xiquena Zaragoza";

/** By the plural forms of Intl.PluralRules. */
export const counted = {
  tries: { one: "queda un intento", other: "quedan {n} intentos" },
  wrong: { one: "un PIN incorrecto", other: "{n} PIN incorrectos" },
};

export const table = {
  next: "Continuar",
  cancel: "Cancelar",
  back: "Volver",
  again: "Reintentar",
  close: "Listo",
  details: "Detalles",
  how: "Cómo funciona",

  notEnrolled: "Este dispositivo aún no está registrado aquí",
  notEnrolledLead: "Para iniciar sesión en {server} con este dispositivo, necesita una invitación.",
  notKept: "¿Ya se registró aquí? Entonces el navegador lo ha borrado.",
  step1: "Pregunte al administrador o ejecute {command} en el equipo. En el terminal aparece un código QR.",
  step2: "Escanee el código QR con la cámara de este dispositivo.",
  step3: "Elija un PIN. Nunca sale de este dispositivo.",
  sessionElsewhere:
    "Ha escaneado un inicio de sesión, pero este navegador no tiene ninguna identidad. Las pestañas "
    + "privadas, otros navegadores y la aplicación de la pantalla de inicio tienen cada uno las suyas. Si "
    + "se registró en uno de ellos, abra esta página allí y escriba las siete cifras que muestra la "
    + "consola.",
  byCode: "Escribir nombre y código",
  byCodeLead: "Ambos están en su invitación. También puede pegar toda su dirección como nombre.",
  name: "Nombre",
  code: "Código",

  home: "Aprobar un inicio de sesión",
  waitingNone: "Ningún inicio de sesión espera a este dispositivo.",
  waitingSome: "Elija el que tenga el número que muestra su consola.",
  waitingStopped: "La búsqueda se detuvo después de dos minutos.",
  waitingAgain: "Buscar de nuevo",
  waitingNotOffered: "Este servidor no dice qué inicios de sesión esperan.",
  waitingTooOften: "Este dispositivo ha preguntado demasiadas veces. Busque de nuevo dentro de {time}.",
  homeLead:
    "También puede escanear con la cámara el código QR de la consola o escribir aquí sus siete cifras.",
  number: "Siete cifras de la consola",
  notANumber: "Estas no son las siete cifras de un inicio de sesión.",
  here: "En este dispositivo",
  settings: "Ajustes",
  settingsOf: "Ajustes de {label}",
  noSettings: "Ahora no hay nada que ajustar aquí.",
  "state.spoilt": "No se puede leer. Registre de nuevo este dispositivo.",
  "state.newer": "La guardó una versión más nueva de esta página. Recargue la página.",
  remove: "Quitar",
  removeOf: "Quitar {label}",
  removeTitle: "¿Quitar {label} de este dispositivo?",
  removeLead:
    "Este dispositivo ya no podrá aprobar sus inicios de sesión. Para volver a usarla, necesita una "
    + "nueva invitación. Si ha perdido el dispositivo o lo va a entregar a otra persona, pida también que "
    + "se revoque el registro.",
  pendingTitle: "El registro de {name} no ha terminado.",
  goOn: "Seguir",
  drop: "Descartar",

  enrolTitle: "Registrar este dispositivo",
  enrolLead: "Podrá aprobar inicios de sesión de {name} en {server}.",
  enrolWarning: "Continúe solo si esperaba esta invitación.",
  server: "Servidor",
  choosePIN: "Elija un PIN",
  repeatPIN: "Repita el PIN",
  chooseLead: "{n} cifras o más. No lo use para nada más.",
  phraseLead: "Cuatro palabras son suficientes. No las use para nada más.",
  choosePassphrase: "Elija una frase de contraseña",
  repeatPassphrase: "Repita la frase de contraseña",
  differ: "No coinciden. Elija de nuevo.",
  useText: "Usar una frase",
  useDigits: "Usar cifras",
  passphrase: "Frase de contraseña",
  good: "Bien",
  fair: "Fácil de adivinar. Es mejor uno más largo.",
  fault: "Elija otro: este sería de los primeros que alguien probaría.",
  "fault.short": "Al menos cuatro caracteres.",
  "fault.asked": "Al menos {n} caracteres: este servidor lo exige.",
  "fault.date": "Este servidor no admite una fecha como PIN.",
  "fault.long": "Como máximo 128 caracteres.",
  "fault.name": "No use su nombre.",
  "fault.notPIN":
    "Solo letras sin acento ni eñe, cifras y símbolos, y nada que parezca un código de aprobación.",
  enrolling: "Registro en curso",
  stageRegister: "Registrarse en el servidor",
  stageShares: "Recibir la clave, en dos mitades",
  stageProve: "Probarla con un inicio de sesión",
  enrolled: "Este dispositivo está registrado",
  enrolledLead: "{label} se ha guardado en este dispositivo.",
  nextBind:
    "Ahora el equipo debe autorizar este dispositivo. Pulse Intro en el terminal; mostrará un segundo "
    + "código QR, que también debe escanear. Sin ese terminal, ejecute {command} en el equipo.",
  unproved: "Registrado, pero no probado",
  unprovedLead:
    "{label} se ha guardado en este dispositivo, pero el inicio de sesión de prueba no se realizó. El "
    + "próximo mostrará si funciona.",
  identityID: "Identidad",

  iosTitle: "Añada antes la página a la pantalla de inicio",
  iosWhy:
    "Safari borra los datos de un sitio que no se ha usado en siete días. Una aplicación de la pantalla "
    + "de inicio conserva sus datos. Tiene su propio almacenamiento, así que instálela antes de "
    + "registrarse.",
  ios1: "Copie la invitación.",
  ios2: "Toque Compartir y después Añadir a pantalla de inicio.",
  ios3: "Abra allí M-Pin, elija Escribir nombre y código, y pegue.",
  iosNote:
    "La cámara abre el navegador, no la aplicación: en la aplicación se escriben las siete cifras de un "
    + "inicio de sesión. Quédese en el navegador si va a usar esta página todas las semanas.",
  copy: "Copiar la invitación",
  copied: "Copiada",
  stay: "Seguir en el navegador",

  askConsole: "¿Iniciar sesión en {host} como {account}?",
  askBrowser: "¿Iniciar sesión en una página web de {host}?",
  askBind: "¿Permitir que este dispositivo apruebe inicios de sesión de {account} en {host}?",
  askedBy: "Solicitado por {service}, {ago}, {source}",
  asked: "Solicitado {ago}, {source}",
  fromHere: "desde el propio equipo",
  fromHereUser: "desde el propio equipo (usuario {user})",
  fromServer: "desde un programa del equipo del servidor",
  fromUnknown: "desde un lugar desconocido",
  fromAddress: "desde {address}",
  pageSays: "La página dice, y nadie lo ha comprobado:",
  typePIN: "Escriba su PIN si ha sido usted.",
  bindWarning: "Solo si usted está ante este terminal.",
  browserWarning: "No hay código de aprobación: quien muestre este código QR inicia sesión como usted.",
  notMe: "No he sido yo",
  notMeTitle: "¿Rechazar este inicio de sesión?",
  notMeLead:
    "Su PIN demuestra que el rechazo viene de usted. Durante una hora no se le preguntará por inicios de "
    + "sesión en {host} desde el mismo lugar.",
  notMeBrowser: "Su PIN demuestra que el rechazo viene de usted.",
  detailHost: "Equipo",
  detailAccount: "Cuenta",
  detailService: "Servicio",
  detailSource: "Origen",
  detailTime: "Hora",
  detailAttempt: "Intento",
  detailLabel: "Identidad",
  whichOne: "¿Qué identidad?",
  whichLead: "Más de una sirve para este inicio de sesión.",
  looking: "Buscando el inicio de sesión",
  proving: "Comprobando el PIN",
  pad: "PIN",
  erase: "Borrar la última cifra",
  confirm: "Confirmar",
  typedCount: "{count} escritas",
  unlockTitle: "En lugar de escribir el PIN",
  unlockLead:
    "Su dispositivo o una llave de seguridad comprueba que es usted y entonces desbloquea el PIN. El "
    + "PIN sigue sirviendo.",
  "unlock.platform": "Usar huella o rostro",
  "unlock.roaming": "Usar una llave de seguridad",
  "unlockOn.platform":
    "Su huella o su rostro desbloquea el PIN en este dispositivo. El PIN sigue sirviendo.",
  "unlockOn.roaming":
    "Su llave de seguridad desbloquea el PIN en este dispositivo. El PIN sigue sirviendo.",
  unlockStop: "Escribir siempre el PIN",
  unlockHint: "Solo si fue usted.",
  typeIt: "Escribir el PIN",
  unlockFailed: "Eso no desbloqueó el PIN. Escríbalo.",
  unlockStale:
    "El PIN se cambió en otro lugar, así que este dispositivo lo ha olvidado. Escriba el nuevo; "
    + "después puede configurar otra vez huella, rostro o llave de seguridad.",
  unlockUse: "Una vez más, para probar",
  unlockUseLead:
    "Su dispositivo o su llave de seguridad pregunta por segunda vez. Después escribe usted su PIN.",
  unlockProve: "Escriba el PIN de este dispositivo",
  unlockProveLead: "El servidor lo comprueba. Un PIN incorrecto cuenta.",
  unlockFor: "Después se desbloquea para {label} sin escribirlo.",
  unlockDone: "Está configurado",
  unlockNotDone: "No está configurado",
  unlockCannot:
    "Este dispositivo o llave de seguridad no puede desbloquear un PIN. Pruebe otro o siga escribiendo "
    + "el PIN.",
  unlockCancelled: "Se canceló o no se le reconoció. Puede seguir escribiendo el PIN.",

  waitFor: "Inténtelo de nuevo dentro de {time}.",
  typeCode: "Escriba este código de aprobación en la consola",
  typeCodeLead: "Solo en la consola que tiene delante. No se lo diga a nadie; nadie necesita que se lo dé.",
  typeCodeBind: "Solo en el terminal que tiene delante. Un código que se dice por teléfono no protege nada.",
  compare: "Compare {id} con el terminal.",
  codeLeft: "Segundos restantes: {seconds}",
  codeGone: "Se acabó el tiempo",
  codeGoneLead:
    "El inicio de sesión ha terminado y, con él, su código. Si es necesario, empiece de nuevo en la "
    + "consola.",
  approved: "Aprobado",
  approvedBrowser: "Continúe en el navegador que lo solicitó.",
  warnTries: "{tries} antes de que se bloquee este dispositivo. Un PIN nuevo pone la cuenta a cero.",
  warnUnknown:
    "El aviso del servidor sobre los PIN incorrectos falta o no es auténtico. Puede haber un atacante "
    + "entre este dispositivo y el servidor: avise al administrador.",
  warnWrong:
    "Desde su último inicio de sesión: {wrong}, el último {time} {source}. Si no fue usted, avise al "
    + "administrador.",
};
