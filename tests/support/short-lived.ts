/**
 * Node's arguments for a process that runs a database for seconds: V8 then compiles PGlite's WebAssembly once, fast.
 * Optimising it took a third of the processor time of a start (2.9 s with it, 1.8 s without).
 */
export const shortLived = ['--liftoff-only']
