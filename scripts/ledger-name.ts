import * as z from 'zod'
import { findAccount } from '../app/ledger/accounts.ts'
import { listWallets, walletName } from '../app/ledger/wallets.ts'
import { integerColumn } from '../app/server/columns.server.ts'
import { walletFault } from '../app/wallet/address.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

const longestName = 60

const nameRow = z.object({ address: z.string(), name: z.string().nullable(), revision: integerColumn })

/**
 * Names a wallet that is not ours, or with --revision names it again. Throws a UsageError for a wrong address or name,
 * for a wallet of ours, for a name of ours or of another wallet, and if the backend refuses.
 */
export async function nameWallet(
  operator: Operator,
  [typed = '', words = '']: string[],
  given: { revision?: boolean },
): Promise<void> {
  const { config, service, confirm } = operator
  const fault = walletFault(typed)
  if (fault) throw new UsageError(`${fault}.`)
  const address = typed.toLowerCase()
  const ours =
    walletName(listWallets(config), address) ??
    config.FORMER_WALLETS.find((former) => former.address.toLowerCase() === address)?.account
  if (ours) throw new UsageError(`This is our own wallet (${ours}). Name the wallets of others only.`)
  const name = words.trim()
  const wrong = nameFault(name)
  if (wrong) throw new UsageError(wrong)

  const [before] = await service.rows('published_names', nameRow, (query) =>
    query.eq('address', address).limit(1),
  )
  if (before && !given.revision)
    throw new UsageError(
      `This wallet has a name already: ${before.name ?? 'a withdrawn one'}. To change it, add --revision.`,
    )
  if (!before && given.revision) throw new UsageError('This wallet has no name yet. Leave out --revision.')
  const [other] = await service.rows('published_names', nameRow, (query) =>
    query
      .ilike('name', name.replace(/[\\%_]/g, '\\$&'))
      .neq('address', address)
      .limit(1),
  )
  if (other)
    throw new UsageError(
      `Another wallet has this name: ${other.address}. Add what tells them apart, for example "second wallet".`,
    )

  const entry = { address, name, revision: before ? before.revision + 1 : 0 }
  console.log('Name organisations; a private person only with their consent.')
  await confirm(JSON.stringify(entry, null, 2))
  const { data, error } = await service.api.rpc('append_name', { entry })
  if (error) throw new UsageError(`The backend refused it: ${error.message}`)
  const { name_hash: hash } = z.object({ name_hash: z.string() }).parse(data)
  console.log(
    `Published: ${config.SITE_URL}/transparency?q=${address}\nTo withdraw the name: npm run ledger -- withdraw-text ${hash} --reason '…'`,
  )
  await operator.tellSite()
}

/** Why a name cannot be published, as a sentence; null for a good one. */
function nameFault(name: string): string | null {
  if (!name) return "Give the name in quotation marks: 'Riverside Books, supplier'."
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name))
    return 'The name has a control or direction character. Type it again by hand.'
  if ([...name].length > longestName)
    return `The name has ${[...name].length} characters. Use at most ${longestName}.`
  if (findAccount(name)) return 'The name reads like one of our own wallets. Use another one.'
  return null
}
