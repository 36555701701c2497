/**
 * Node's arguments for a process that runs a database for only a few seconds. With them V8 does not optimise
 * PGlite's WebAssembly. Optimising it took a third of the processor time of a start (2.9 s instead of 1.8 s).
 */
export const shortLived = ['--liftoff-only']
