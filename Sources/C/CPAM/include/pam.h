// SPDX-License-Identifier: Apache-2.0
// libpam in a form that Swift can call. The variadic functions get our text as an argument, never as a
// format. Texts end with a zero octet.
#pragma once
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

/// Shows one text with `pam_prompt`, as a message of `style`. `answer` gets the user's answer, or NULL if
/// there is none. After a failure it gets NULL: memory that the application did not free then is not ours to
/// free.
static inline int mpin_pam_prompt(pam_handle_t *handle, int style, const uint8_t *text, char **answer) {
    char *given = NULL;
    int result = pam_prompt(handle, style, answer == NULL ? NULL : &given, "%s", (const char *)text);
    if (answer != NULL) *answer = result == PAM_SUCCESS ? given : NULL;
    return result;
}

static inline const char *mpin_pam_getenv(pam_handle_t *handle, const uint8_t *name) {
    return pam_getenv(handle, (const char *)name);
}

/// Calls `pam_putenv` with `NAME=value`.
static inline int mpin_pam_putenv(pam_handle_t *handle, const uint8_t *pair) {
    return pam_putenv(handle, (const char *)pair);
}

/// What our module keeps under a handle between its calls; NULL if there is nothing.
static inline const void *mpin_pam_kept(const pam_handle_t *handle) {
    const void *data = NULL;
    return pam_get_data(handle, "pam_mpin", &data) == PAM_SUCCESS ? data : NULL;
}

/// Keeps `data` until pam_end, which calls `end` with it.
static inline int mpin_pam_keep(
    pam_handle_t *handle, void *data, void (*end)(pam_handle_t *handle, void *data, int status)) {
    return pam_set_data(handle, "pam_mpin", data, end);
}

/// The answers of our own PAM application (`StackProof` in MPinAdmin): the PIN to the first hidden question,
/// the password to a later question for one, and nothing to any other question.
struct mpin_pam_answers {
    const void *pin, *password;  // password may be NULL
    size_t pin_count, password_count;
    int asked;
};

static inline char *mpin_pam_answer(struct mpin_pam_answers *answers, const char *question) {
    const void *given = answers->pin;
    size_t count = answers->pin_count;
    // If our module is skipped, another module asks for a password first, and it must not get the PIN.
    if (answers->asked++ == 0) {
        if (strstr(question, "PIN") == NULL) return NULL;
    } else {
        // pam_unix asks for a "Password"; a second question for the PIN must not get the password.
        if (answers->password == NULL || strstr(question, "assword") == NULL) return NULL;
        given = answers->password;
        count = answers->password_count;
    }
    char *answer = calloc(count + 1, 1);
    if (answer != NULL) memcpy(answer, given, count);
    return answer;
}

/// The conversation function of that application. `answers` is a `struct mpin_pam_answers`.
static inline int mpin_pam_converse(
    int count, const struct pam_message **messages, struct pam_response **responses, void *answers) {
    if (count < 1 || count > PAM_MAX_NUM_MSG) return PAM_CONV_ERR;
    struct pam_response *given = calloc((size_t)count, sizeof *given);
    if (given == NULL) return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) {
        if (messages[i]->msg_style == PAM_TEXT_INFO || messages[i]->msg_style == PAM_ERROR_MSG) continue;
        if (messages[i]->msg_style == PAM_PROMPT_ECHO_OFF)
            given[i].resp = mpin_pam_answer(answers, messages[i]->msg);
        if (given[i].resp != NULL) continue;
        for (int j = 0; j < i; j++)
            if (given[j].resp != NULL) {
                explicit_bzero(given[j].resp, strlen(given[j].resp));
                free(given[j].resp);
            }
        free(given);
        return PAM_CONV_ERR;
    }
    *responses = given;
    return PAM_SUCCESS;
}

/// Calls `pam_start_confdir` with that conversation: `folder` replaces /etc/pam.d.
static inline int mpin_pam_start(
    const char *service, const char *user, struct mpin_pam_answers *answers, const char *folder,
    pam_handle_t **handle) {
    struct pam_conv conversation = {mpin_pam_converse, answers};
    return pam_start_confdir(service, user, &conversation, folder, handle);
}
