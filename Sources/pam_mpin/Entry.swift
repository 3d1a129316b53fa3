@c(mpin_authenticate)
public func authenticate(
    _ handle: OpaquePointer, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt { 9 }
