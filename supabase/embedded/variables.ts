import { resolve } from 'node:path'

type Environment = Record<string, string | undefined>

/** The value of a variable; an empty value counts as not set. */
function read(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** A port number; 0 means a free port. For any other value, throws an error that names the variable. */
export function readPort(env: Environment, name: string, preset: number): number {
  const value = read(env, name) ?? `${preset}`
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new Error(`${name} must be a port number from 0 to 65535 (0 takes a free port)`)
}

/** Throws an error for the operator if two variables name the same port, unless the port is 0. */
export function assertDistinct(ports: Record<string, number>): void {
  const seen = new Map<number, string>()
  for (const [name, port] of Object.entries(ports)) {
    const other = seen.get(port)
    if (other && port) throw new Error(`${other} and ${name} are both ${port}: give each a port of its own`)
    seen.set(port, name)
  }
}

/** '0' or '1'; false without the variable. For any other value, throws an error for the operator. */
export function readSwitch(env: Environment, name: string): boolean {
  const value = read(env, name) ?? '0'
  if (value !== '0' && value !== '1') throw new Error(`${name} must be 0 or 1`)
  return value === '1'
}

/** The embedded backend's options in the environment. Throws an error that names an invalid variable. */
export function readBackendOptions(env: Environment, presetDataDir = '.data') {
  const databaseUrl = read(env, 'DATABASE_URL')
  // The error omits the value, because the value contains a password.
  if (databaseUrl && !/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ''))
    throw new Error('DATABASE_URL must be postgresql://user:password@host:port/database')
  const ports = {
    SUPABASE_PORT: readPort(env, 'SUPABASE_PORT', 54321),
    MAIL_PORT: readPort(env, 'MAIL_PORT', 54324),
  }
  assertDistinct(ports)
  return {
    dataDir: resolve(read(env, 'DATA_DIR') ?? presetDataDir),
    databaseUrl,
    port: ports.SUPABASE_PORT,
    mailPort: ports.MAIL_PORT,
    confirmations: readSwitch(env, 'CONFIRM_EMAIL'),
  }
}
