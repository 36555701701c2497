/**
 * Fixes the time at which the demonstration's rows end, so that tests and pictures have the same rows on each day. Imported
 * before supabase/embedded/demo-rows.ts.
 */
process.env.DEMO_DAY ??= `${Date.UTC(2025, 10, 1)}`
