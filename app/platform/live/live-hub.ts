import type { Hub } from './hub.server'

/**
 * The class of the Durable Object, which the worker's entry must export. The code of the hub is imported when an object
 * starts, so that no other isolate compiles it. For the same reason it does not extend the platform's class, which would
 * load a module of the platform and is needed only for calls other than `fetch`.
 */
export class LiveHub implements DurableObject {
  #hub!: Hub

  constructor(context: DurableObjectState) {
    // Requests and messages wait for the hub.
    context.blockConcurrencyWhile(async () => {
      const { createHub } = await import('./hub.server')
      this.#hub = await createHub(context)
    })
  }

  fetch(request: Request): Promise<Response> {
    return this.#hub.fetch(request)
  }

  webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#hub.webSocketMessage(socket, message)
  }

  webSocketClose(socket: WebSocket, code: number): void {
    this.#hub.webSocketClose(socket, code)
  }
}
