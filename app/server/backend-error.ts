/** What supabase-js says of a failed call, as far as it is needed here. */
export interface BackendError {
  name?: string
  code?: string | undefined
  status?: number | undefined
  reasons?: string[]
}
