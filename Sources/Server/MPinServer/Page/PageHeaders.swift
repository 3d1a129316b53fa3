// SPDX-License-Identifier: Apache-2.0
// The security headers of the phone page's files: the page loads and contacts only its own origin, cannot be
// framed, and is denied the browser's features.

let pageHeaders: [(name: String, value: String)] = [
    ("Content-Security-Policy", contentSecurityPolicy),
    ("Permissions-Policy", permissionsPolicy),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Origin-Agent-Cluster", "?1"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]

/// Trusted Types let a script put text into the page, but no markup. The module needs `wasm-unsafe-eval`.
private let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types mpin",
].joined(separator: "; ")

/// Denies every feature that Chromium knows, but three. An unknown name would cause a warning in its console.
private let permissionsPolicy =
    (refusedFeatures.map { $0 + "=()" }
    + ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"].map { $0 + "=(self)" })
    .joined(separator: ", ")

private let refusedFeatures = [
    "accelerometer", "autoplay", "browsing-topics", "camera", "captured-surface-control",
    "clipboard-read", "compute-pressure", "digital-credentials-get", "display-capture", "encrypted-media",
    "fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "identity-credentials-get",
    "idle-detection", "keyboard-map", "local-fonts", "magnetometer", "microphone", "midi",
    "otp-credentials", "payment", "picture-in-picture", "screen-wake-lock", "serial", "speaker-selection",
    "storage-access", "sync-xhr", "usb", "window-management", "xr-spatial-tracking",
]
