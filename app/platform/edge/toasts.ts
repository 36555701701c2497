/**
 * The function that renders a toast, once this isolate has loaded it (toast-fragment.server.tsx), because it
 * needs React and few responses have a toast. It returns null for an unknown key.
 */
export const toasts: { fragment: ((key: string, locale: string) => Uint8Array | null) | null } = {
  fragment: null,
}
