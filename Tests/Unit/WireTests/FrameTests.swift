// SPDX-License-Identifier: Apache-2.0
// Frames between module and relay: every frame decodes to what was encoded, and all other octets are refused.
import MPinWire
import TestSupport
import Testing

@Suite struct FrameTests {
    @Test(arguments: Samples.questions) func `a request decodes to the same value`(question: RelayRequest)
        throws
    {
        let frame = try question.encoded()
        #expect(frame.first == question.kind.rawValue)
        #expect(try RelayRequest(decoding: frame) == question)
    }

    @Test(arguments: Samples.answers) func `a response decodes to the same value`(answer: RelayResponse)
        throws
    {
        let frame = try answer.encoded()
        #expect(frame.first == answer.kind.rawValue + 128)
        #expect(try RelayResponse(decoding: frame) == answer)
    }

    @Test func `every kind has a sample`() {
        #expect(Set(Samples.questions.map(\.kind)) == Set(Kind.allCases))
        #expect(Set(Samples.bodies.map(\.kind)) == Set(Kind.allCases))
    }

    @Test func `the octets match the specification`() throws {
        #expect(try RelayRequest.settings.encoded() == [2])
        #expect(try RelayRequest.permits(mpinID: ascii("{}")).encoded() == [3, 0, 2, 0x7b, 0x7d])
        let hello = RelayRequest.hello(
            Hello(
                attempt: [1, 2, 3, 4, 5, 6, 7, 8], backends: [ascii("a"), ascii("bc")], alsoOrigins: [],
                addresses: [ascii("b ::1"), ascii("b 10.0.0.1")], caFile: ascii("/c"),
                connectMilliseconds: 3_000, totalMilliseconds: 0x0102_0304))
        #expect(
            try hello.encoded() == [
                1, 0, 1, 4, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 4, 0x61, 0x0a, 0x62, 0x63, 0, 0, 0, 16,
            ] + ascii("b ::1\nb 10.0.0.1") + [
                0, 2, 0x2f, 0x63, 0, 0, 0, 4, 0, 0, 0x0b, 0xb8, 0, 4, 1, 2, 3, 4,
            ])
        let pass = RelayResponse(
            kind: .passTwo, status: 200, body: .passTwo(RelayPassTwoResponse(authOTT: ascii("ab"), otp: [])))
        #expect(try pass.encoded() == [133, 0, 2, 0, 200, 0, 2, 0x61, 0x62, 0, 0])
        #expect(try RelayResponse(kind: .end, status: 408).encoded() == [145, 0, 2, 1, 0x98])
        #expect(
            try RelayResponse(kind: .authenticate, status: 1).encoded() == [
                134, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test func `a field of fixed length is refused at any other length`() throws {
        let frames =
            try Samples.questions.map { try $0.encoded() }
            + Samples.bodies.map {
                try RelayResponse(kind: $0.kind, status: 200, body: $0).encoded()
            }
        for good in frames {
            for index in Samples.fixedFields(good[0]) where !fields(of: good)[index].isEmpty {
                var longer = fields(of: good)
                longer[index].append(0x30)
                var shorter = fields(of: good)
                shorter[index].removeLast()
                if shorter[index].isEmpty { shorter = longer }
                for bad in [frame(good[0], longer), frame(good[0], shorter)] {
                    #expect(decoded(bad) == .badField, "field \(index) of kind \(good[0])")
                }
            }
        }
    }

    @Test func `an answer without its tag is refused, and so is a tag without an answer`() throws {
        let whole = RelaySealedResponse(
            answer: filled(86), tag: filled(32), notice: filled(20), noticeTag: filled(32))
        let good = try RelayResponse(kind: .authenticate, status: 200, body: .authenticate(whole)).encoded()
        #expect(try RelayResponse(decoding: good).body == .authenticate(whole))
        let parts = fields(of: good)
        #expect(parts.count == 5)
        for missing in 1...4 {
            var fields = parts
            fields[missing] = []
            #expect(decoded(frame(good[0], fields)) == .badField, "field \(missing)")
        }
    }

    @Test func `a frame cut anywhere is refused, and so is one octet more`() throws {
        for good in try Samples.questions.map({ try $0.encoded() })
            + Samples.answers.map({ try $0.encoded() })
        {
            for count in 0..<good.count { #expect(decoded([UInt8](good.prefix(count))) == .truncated) }
            #expect(decoded(good + [0]) == .trailing)
        }
    }

    @Test func `unknown kinds are refused and named`() {
        let kinds = Set(Kind.allCases.map(\.rawValue))
        for kind in UInt8.min...UInt8.max {
            if !kinds.contains(kind) {
                #expect(throws: FrameError.unknownKind(kind)) { try RelayRequest(decoding: [kind]) }
            }
            if kind < 128 || !kinds.contains(kind - 128) {
                #expect(throws: FrameError.unknownKind(kind)) { try RelayResponse(decoding: [kind]) }
            }
        }
    }

    @Test func `a frame of more than 64 KiB is refused unread`() {
        #expect(throws: FrameError.tooLong) {
            try RelayRequest(decoding: [3] + filled(Frame.limit))
        }
        #expect(throws: FrameError.tooLong) { try RelayRequest.permits(mpinID: filled(65_536)).encoded() }
    }

    @Test func `a value that no frame can carry is not encoded`() {
        let seal = Samples.sealed
        let impossible: [RelayRequest] = [
            .permits(mpinID: []), .permits(mpinID: filled(501)),
            .session(.none), .otp(RelayOTPRequest(.none, tags: [])),
            .otp(RelayOTPRequest(seal, tags: filled(33))),
            .session(TaggedQuestion(question: filled(9), tag: [])),
            .session(TaggedQuestion(question: filled(4_097), tag: filled(32))),
            .passOne(RelayPassOneRequest(mpinID: filled(1), u: filled(64), ut: [], sealed: seal)),
            .end(RelayEndRequest(wid: [], a: fixed())),
            .end(RelayEndRequest(wid: ascii("a\n"), a: fixed())),
            .join(RelayJoinRequest(host: [0xff], joinID: filled(16))),
            .join(RelayJoinRequest(host: filled(256, 0x61), joinID: filled(16))),
            .register(
                RelayRegisterRequest(
                    userID: ascii("a"), activationCode: [], deviceName: [], regOTT: ascii("ff"), sealed: seal)
            ),
            .hello(
                Hello(
                    attempt: filled(8), backends: [], alsoOrigins: [], caFile: [], connectMilliseconds: 1,
                    totalMilliseconds: 1)),
            .hello(
                Hello(
                    attempt: filled(8), backends: [ascii("a\nb")], alsoOrigins: [], caFile: [],
                    connectMilliseconds: 1, totalMilliseconds: 1)),
            .hello(
                Hello(
                    attempt: filled(8), backends: [ascii("a")], alsoOrigins: [],
                    addresses: [[UInt8]](repeating: ascii("a ::1"), count: 17), caFile: [],
                    connectMilliseconds: 1, totalMilliseconds: 1)),
        ]
        for question in impossible {
            #expect(throws: FrameError.badField, "\(question)") { try question.encoded() }
        }
    }

    @Test func `a response's body fits its kind and its status`() {
        let impossible = [
            RelayResponse(kind: .end, status: 200),
            RelayResponse(kind: .settings, status: 401, body: .settings(usesPermits: true)),
            RelayResponse(kind: .otp, status: 200, body: .otp(tags: filled(33))),
            RelayResponse(kind: .end, status: 14), RelayResponse(kind: .end, status: 18),
            RelayResponse(kind: .end, status: 22), RelayResponse(kind: .end, status: 26),
            RelayResponse(kind: .end, status: 99), RelayResponse(kind: .end, status: 600),
            RelayResponse(kind: .end, status: RelayResponse.foreignOrigin),
            RelayResponse(kind: .end, status: RelayResponse.foreignOrigin, origin: ascii("two\nlines")),
            RelayResponse(
                kind: .end, status: RelayResponse.foreignOrigin, origin: filled(Bound.address + 1, 0x61)),
            RelayResponse(kind: .end, status: 401, origin: ascii("https://other.example:443")),
        ]
        for answer in impossible {
            #expect(throws: FrameError.badField, "\(answer)") { try answer.encoded() }
        }
        #expect(throws: FrameError.truncated) {
            try RelayResponse(kind: .settings, status: 200, body: .hello(version: 1)).encoded()
        }
    }

    @Test func `each reason for distrust has one status`() {
        for reason in Distrust.allCases { #expect(Distrust(status: reason.status) == reason) }
        #expect((UInt16.min...UInt16.max).count { Distrust(status: $0) != nil } == Distrust.allCases.count)
    }

    @Test func `flags are 0 or 1`() throws {
        for value in UInt8.min...UInt8.max {
            let expected: FrameError? = value <= 1 ? nil : .badField
            #expect(decoded(frame(130, [[0, 200], [value], [4], [0]])) == expected)
            #expect(decoded(frame(130, [[0, 200], [0], [4], [value]])) == expected)
        }
    }

    @Test func `random octets are refused or encoded to the same octets again`() throws {
        var generator = SplitMix(seed: 1)
        let good =
            try Samples.questions.map { try $0.encoded() } + Samples.answers.map { try $0.encoded() }
        var accepted = 0
        for round in 0..<rounds(2_000) {
            let count = Int.random(in: 0...300, using: &generator)
            for octets in [
                Fuzz.octets(count, by: &generator),
                Fuzz.mutated(good[round % good.count], by: &generator),
            ] where decoded(octets) == nil {
                accepted += 1
                #expect(again(octets) == octets)
            }
        }
        #expect(accepted > 0)
    }
}

/// Why the octets are neither a request nor a response; nil if they are one.
private func decoded(_ frame: [UInt8]) -> FrameError? {
    do {
        if let kind = frame.first, kind >= 128 {
            _ = try RelayResponse(decoding: frame)
        } else {
            _ = try RelayRequest(decoding: frame)
        }
        return nil
    } catch { return error }
}

/// The octets, decoded and encoded again.
private func again(_ frame: [UInt8]) -> [UInt8]? {
    if let question = try? RelayRequest(decoding: frame) { return try? question.encoded() }
    return try? RelayResponse(decoding: frame).encoded()
}
