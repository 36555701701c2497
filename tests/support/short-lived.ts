/**
 * The arguments of Node for a process that runs a database only for seconds. With them V8 compiles PGlite's
 * WebAssembly once, without optimisation, which took a third of the processor time of a start (2.9 s with
 * optimisation, 1.8 s without).
 */
export const shortLived = ['--liftoff-only']
