# SPDX-License-Identifier: Apache-2.0
# Authenticators of a browser, which the browser itself simulates: one of the device, or a security key.
from phone import NAME

WAYS = {"internal": "Use fingerprint or face", "usb": "Use a security key"}


class Authenticator:
    """It belongs to one browser, not to its profile: another browser does not have it."""

    def __init__(self, phone, transport="internal", has_prf=True):
        self.phone = phone
        self.way = WAYS[transport]
        self.call("enable")
        self.options = {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": transport, "hasPrf": has_prf,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
            "hasResidentKey": True}
        self.id = phone.browser.devtools(
            "WebAuthn.addVirtualAuthenticator", options=self.options)["authenticatorId"]

    def call(self, command, **parameters):
        return self.phone.browser.devtools(f"WebAuthn.{command}", **parameters)

    def verifies(self, does):
        self.call("setUserVerified", authenticatorId=self.id, isUserVerified=does)

    def remove(self):
        self.call("removeVirtualAuthenticator", authenticatorId=self.id)

    @property
    def credentials(self):
        return self.call("getCredentials", authenticatorId=self.id)["credentials"]

    def takes(self, credential, origin=NAME):
        """Puts another authenticator's credential into this one, without what PRF needs."""
        kept = {name: credential[name] for name in ("credentialId", "privateKey", "signCount")}
        self.call("addCredential", authenticatorId=self.id, credential={
            **kept, "rpId": origin, "isResidentCredential": False})

    def sets_up(self, pin):
        """Lets it stand for the PIN, from a screen that offers it."""
        phone = self.phone
        phone.press(self.way).on("unlock-use").press(self.way).on("unlock-pin").types(pin)
        phone.on("end unlock-done")
