// SPDX-License-Identifier: Apache-2.0
// One-time passwords, one for each id, and hosts' questions about them.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Counts a host's question as a wrong try of each live password of its ids, and returns these passwords,
    /// as sealed by mpind, in the order of the ids. An id has nil if it has no live password, or if the
    /// question is beyond the fifth from its source or the fiftieth in all. The try stays wrong until
    /// `matchOTP`.
    /// Transactions on one-time passwords, and on applications' sessions and codes, are voidable: they live
    /// for minutes, and after a loss of power SQLite voids all of them.
    func askOTPs(_ question: OTPQuestion) async throws(StorageError) -> [[UInt8]?] {
        try await transaction(.voidable) { t throws(StorageError) in
            try t.serialize(onOwnersOf: question.ids)
            var told: [[UInt8]?] = []
            for id in question.ids {
                let living = try t.countOTP(of: id, from: question.source)
                try t.run(
                    """
                    INSERT INTO otp_questions (a, id, host, host_epoch, source, expires_at)
                    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (a, id) DO NOTHING
                    """,
                    [
                        .octets(question.a), .octets(id), .text(question.host), .integer(question.hostEpoch),
                        .text(question.source), .integer(t.now + question.life),
                    ])
                told.append(living)
            }
            return told
        }
    }

    /// Notes that the user typed the password `sealed` of `id` in answer to the question `a`.
    func matchOTP(a: QuestionHash, id: IdentityHash, sealed: [UInt8]) async throws(StorageError) {
        try await transaction(.voidable) { t throws(StorageError) in
            try t.run(
                "UPDATE otp_questions SET otp = $3 WHERE a = $1 AND id = $2 AND expires_at > $4",
                [.octets(a), .octets(id), .octets(sealed), .integer(t.now)])
        }
    }

    /// Removes the question `a` about `id` and uses up the password that was typed, if it is still live. Nil
    /// if there is no such question.
    func settleOTP(a: QuestionHash, id: IdentityHash) async throws(StorageError) -> OTPSettlement? {
        try await transaction(.voidable) { t throws(StorageError) in
            try t.serialize(on: .owner(of: id))
            let found = try t.row(
                """
                DELETE FROM otp_questions WHERE a = $1 AND id = $2 AND expires_at > $3
                RETURNING otp, host, host_epoch, source
                """, [.octets(a), .octets(id), .integer(t.now)])
            guard var found else { return nil }
            let used = try t.row(
                "DELETE FROM otps WHERE id = $1 AND sealed = $2 AND expires_at > $3 RETURNING id",
                [.octets(id), .octets(try found.optionalOctets()), .integer(t.now)])
            return OTPSettlement(
                host: try found.text(), hostEpoch: try found.number(UInt32.self), source: try found.text(),
                identity: try t.identity(id: id), isUsed: used != nil)
        }
    }
}

extension Transaction {
    /// Stores a one-time password. It replaces the live one; questions about that one can no longer succeed.
    func keepOTP(
        _ sealed: [UInt8], of id: IdentityHash, for life: UnixMilliseconds
    ) throws(StorageError) -> LivingOTP {
        try run("DELETE FROM otps WHERE id = $1", [.octets(id)])
        try run(
            """
            INSERT INTO otps (id, sealed, questions, expires_at) VALUES ($1, $2, 0, $3)
            """, [.octets(id), .octets(sealed), .integer(now + life)])
        return LivingOTP(from: now, until: now + life)
    }

    /// The live password of `id`, for a source that has asked fewer than five times about it. Further
    /// questions of a source are not counted, so wrong passwords typed at one prompt do not end the password
    /// for others.
    fileprivate func countOTP(of id: IdentityHash, from source: String) throws(StorageError) -> [UInt8]? {
        let counted = try row(
            """
            INSERT INTO otp_tries (id, source, questions)
            SELECT id, $2, 1 FROM otps WHERE id = $1 AND questions < $3 AND expires_at > $4
            ON CONFLICT (id, source) DO UPDATE SET questions = otp_tries.questions + 1
            WHERE otp_tries.questions < $5 RETURNING id
            """,
            [
                .octets(id), .text(source), .integer(Limits.otpQuestions), .integer(now),
                .integer(Limits.otpQuestionsPerSource),
            ])
        guard counted != nil else { return nil }
        var asked = try row(
            "UPDATE otps SET questions = questions + 1 WHERE id = $1 RETURNING sealed", [.octets(id)])
        return try asked?.octets()
    }
}
