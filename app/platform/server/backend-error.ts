/** The fields that this site reads from an error of supabase-js. */
export interface BackendError {
  name?: string
  code?: string | undefined
  status?: number | undefined
  reasons?: string[]
  /** The message of the service. Show it only through `toPlainText`. */
  message?: string
}
