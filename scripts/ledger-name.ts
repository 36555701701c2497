import * as z from 'zod'
import { listWallets, walletName } from '../app/ledger/wallets.ts'
import { integerColumn } from '../app/server/columns.server.ts'
import { walletFault } from '../app/wallet/address.ts'
import { doAct, inWords, readAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

const nameRow = z.object({ address: z.string(), name: z.string().nullable(), revision: integerColumn })
const hashRow = z.object({ name_hash: z.string() })

/**
 * Names a wallet that is not ours. With --revision, changes the name. Throws a UsageError for a wrong address
 * or name, for one of our wallets, for a name that another wallet has, and if the backend refuses.
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
  if (!name) throw new UsageError("Give the name in quotation marks: 'Riverside Books, supplier'.")
  const { values } = readAct('name', { subject: null, version: null }, { address, name })

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

  console.log('Name organisations; a private person only with their consent.')
  await confirm(inWords([{ kind: 'name', values }]))
  await doAct(operator, {
    ...{ kind: 'name', subject: before ? address : null, version: before?.revision ?? null },
    ...{ values, reason: null },
  })
  const [named] = await service.rows('published_names', hashRow, (query) =>
    query.eq('address', address).limit(1),
  )
  console.log(
    `Published: ${config.SITE_URL}/transparency?q=${address}\nTo withdraw the name: npm run ledger -- withdraw-text ${named?.name_hash} --reason '…'`,
  )
  await operator.tellSite()
}
