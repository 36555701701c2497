import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { giveToOwner, prepareHosted } from '../support/hosted-owner.ts'
import { hostedPrograms, type Programs } from '../support/hosted-services.ts'
import { createDatabase, onCluster } from '../support/postgres.ts'
import { run } from '../support/process.ts'
import { cli } from './cli.ts'

/** The commands of docs/deploying.md for a new project's database, with its URL in place of the linked project. */
test('the Supabase CLI pushes the migrations to a new project, as its owner, and finds no fault', async () => {
  const { url, drop } = await createDatabase(process.env.TEST_POSTGRES_URL as string)
  try {
    await prepareHosted(url, hostedPrograms() as Programs)
    await giveToOwner(url)
    // The CLI makes its own table, and supautils lets the role write policies of Storage.
    await onCluster(url, (sql) =>
      sql.unsafe(`drop schema supabase_migrations cascade;
        alter role hosted_owner login; grant supabase_storage_admin to hosted_owner`),
    )
    const command = (words: string, role: string) =>
      run([...cli, ...words.split(' '), `--remote=${url.replace('//postgres@', `//${role}@`)}`, '--yes'], {
        echo: false,
        env: { SUPABASE_TELEMETRY_DISABLED: '1' },
      })
    const pushed = await command('db push', 'hosted_owner')
    expect(pushed.succeeded, pushed.output).toBe(true)
    const { output } = await command('migration list', 'hosted_owner')
    const versions = globSync('supabase/migrations/*.sql').map(
      (path) => path.split('/')[2]?.slice(0, 14) ?? '',
    )
    expect(versions.length).toBeGreaterThan(10)
    const rows = [...output.matchAll(/`(\d{14})` *\| *`(\d{14})`/g)].filter(
      ([, local, remote]) => local === remote,
    )
    expect(new Set(rows.map(([, local]) => local))).toEqual(new Set(versions))
    // On a hosted project the owner may create the extension that checks functions.
    const lint = await command(
      'db lint --schema public,private --level warning --fail-on warning',
      'postgres',
    )
    expect(lint.output).toContain('No schema errors found')
  } finally {
    await drop()
  }
})
