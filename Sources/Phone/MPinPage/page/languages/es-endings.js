// SPDX-License-Identifier: Apache-2.0
// The endings of a flow in Spanish, each with its title and its explanation, and the texts of "How this
// works".
export const ends = {
  denied: [
    "Rechazado",
    "Ese inicio de sesión ha terminado. El administrador puede verlo en el registro de auditoría.",
  ],
  declined: ["Cancelado", "No se ha aprobado nada."],
  noSession: [
    "Este inicio de sesión ha terminado",
    "Ha caducado o ya se respondió, o este dispositivo aún no está autorizado, o usted rechazó inicios "
      + "de sesión desde allí. Empiece de nuevo en la consola.",
  ],
  otherOrigin: [
    "No es de este servidor",
    "El código QR o el número es de otro servidor. No se le ha enviado nada.",
  ],
  otherSession: [
    "No es el inicio de sesión que escaneó",
    "El servidor respondió por otro inicio de sesión. No se ha aprobado nada. Avise al administrador.",
  ],
  otherIdentity: [
    "No es para este dispositivo",
    "El inicio de sesión pide otra identidad, o este dispositivo aún no está autorizado, o usted "
      + "rechazó inicios de sesión desde allí.",
  ],
  wrongPIN: ["PIN incorrecto", "No se ha aprobado nada."],
  locked: ["Bloqueado por ahora", "Hubo demasiados PIN incorrectos."],
  blocked: [
    "Bloqueado",
    "Hubo demasiados PIN incorrectos. Solo el administrador puede desbloquear este dispositivo.",
  ],
  expired: [
    "Registre de nuevo este dispositivo",
    "Su registro ha caducado. Pida una nueva invitación al administrador.",
  ],
  lostKey: [
    "Registre de nuevo este dispositivo",
    "El servidor ya no conoce la clave de este dispositivo. No se ha enviado nada. Pida una nueva "
      + "invitación al administrador.",
  ],
  revoked: [
    "Suspendida o revocada",
    "El administrador ha suspendido o retirado esta identidad. No la quite antes de preguntarle.",
  ],
  unavailable: ["El servidor no responde", "Compruebe la conexión de este dispositivo e inténtelo de nuevo."],
  noPIN: ["Eso no puede ser un PIN", "No se ha enviado nada."],
  withdrawn: [
    "Se ha retirado el registro",
    "Se rechazó el inicio de sesión de prueba. Pida una nueva invitación al administrador.",
  ],
  notVerified: [
    "La invitación no es válida",
    "Su código es incorrecto, ya se usó o ha caducado. Pida una nueva.",
  ],
  notAuthorized: ["No permitido", "El servidor no le permite registrarse."],
  full: ["El servidor está ocupado", "Inténtelo de nuevo más tarde."],
  application: [
    "No con esta página",
    "Es un inicio de sesión en una aplicación. Use mpin authcode o una aplicación. No se ha aprobado nada.",
  ],
  pinRefused: ["El servidor rechaza este PIN", "Elija otro."],
  notStored: [
    "Este navegador no ha podido guardarlo",
    "El almacenamiento está lleno o no está permitido. Libere espacio o salga de la navegación "
      + "privada, e inténtelo de nuevo.",
  ],
  notUnderstood: [
    "No es un código QR de M-Pin",
    "No se ha podido leer la dirección. Escanéela de nuevo o escriba las siete cifras.",
  ],
  failed: [
    "No ha funcionado",
    "Se ha producido un error inesperado. No se ha aprobado nada. Inténtelo de nuevo o pregunte al "
      + "administrador.",
  ],
  lost: [
    "Este navegador ha perdido su identidad",
    "Este dispositivo estaba registrado, pero el navegador ha borrado sus datos: porque se vació su "
      + "almacenamiento o, en dispositivos Apple, porque la página no se usó en siete días. Pida al "
      + "administrador una nueva invitación y que revoque el registro anterior.",
  ],
  unread: [
    "No se puede leer el almacenamiento de este navegador",
    "No se ha cambiado nada. Cierre las demás pestañas de esta página, reinicie el navegador e "
      + "inténtelo de nuevo. Si no sirve, pida una nueva invitación al administrador.",
  ],
  newer: [
    "Esta página es más antigua que lo que guardó",
    "En este navegador estuvo abierta una versión más nueva de esta página. No se ha cambiado "
      + "nada. Recargue la página.",
  ],
  noStorage: [
    "Este navegador no puede guardar nada",
    "Las pestañas privadas no tienen almacenamiento permanente. Abra esta página en una pestaña normal.",
  ],
  tooOld: ["Este navegador es demasiado antiguo", "Necesita iOS 16, Chrome 103 o una versión posterior."],
  insecure: [
    "Esta dirección no es segura",
    "La página solo funciona en una dirección que empieza por https.",
  ],
  framed: ["Abra esta página sola", "Se ha incrustado en otra página y no funciona allí. No escriba su PIN."],
};

export const honest = [
  [
    "Su PIN se queda aquí",
    "Este navegador guarda la mitad de una clave; su PIN es la otra mitad. Juntas demuestran quién es "
      + "usted, y ninguna se envía. Quien robe el dispositivo solo puede probar los PIN en el servidor, "
      + "que los cuenta y bloquea. Para adivinar sin el servidor hacen falta el dispositivo y el secreto "
      + "del servidor.",
  ],
  [
    "El código es para su consola",
    "En una consola, la aprobación por sí sola no deja entrar a nadie: el código de aprobación debe "
      + "escribirse donde empezó el inicio de sesión. No se lo diga a nadie. Un inicio de sesión en una "
      + "página web no tiene código: quien muestre su código QR entra como usted.",
  ],
  [
    "En quién confía",
    "Esta página viene de {server}. Quien controle ese servidor, o el TLS que tiene delante, puede "
      + "servir una página que robe su PIN y su clave. Si no lo acepta, apruebe con mpin approve en otro "
      + "equipo Linux o con una aplicación hecha con MPinClient.",
  ],
  [
    "Dónde se guarda",
    "Solo en este navegador, cifrado con una clave que los scripts no pueden copiar. Las pestañas "
      + "privadas, otros navegadores y la aplicación de la pantalla de inicio tienen cada uno su propio "
      + "almacenamiento. Safari lo borra tras siete días sin uso, pero no en la aplicación de la pantalla "
      + "de inicio. Si una huella, un rostro o una llave de seguridad sustituye al PIN, el PIN también "
      + "se guarda ahí, cifrado de modo que solo ellos pueden abrirlo.",
  ],
];
