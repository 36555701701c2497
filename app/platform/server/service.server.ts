import { createApi, Reader } from './data.server.ts'

/** The data API with the secret key, for jobs and commands, never a request. Throws a ServiceFailure. */
export class Service extends Reader<never> {
  protected override fail(source: string, fault: { code: string; message: string }): never {
    throw new ServiceFailure(source, fault)
  }
}

export function createService(url: string, secretKey: string, fetch: typeof globalThis.fetch): Service {
  return new Service(createApi(url, secretKey, fetch))
}

/** The SQLSTATE of a function that refuses to write because another run of the job was faster. */
export const overtaken = 'PT409'

/**
 * The backend refused a call, did not respond, or returned data that the schema refuses. `code` is the
 * SQLSTATE or the code of PostgREST; it is empty without a response, and 'shape' for refused data.
 */
export class ServiceFailure extends Error {
  readonly code: string

  constructor(what: string, { code, message }: { code: string; message: string }) {
    super(`${what}: ${code || 'no response'} ${message}`.slice(0, 300))
    this.code = code
  }
}
