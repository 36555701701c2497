/** The Supabase CLI, in the version that the documents name: a download of 142 MB, so it is no dependency. */
export const cli = ['npx', '--yes', 'supabase@3.1.0'] as const
