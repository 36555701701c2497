import { keccak256, stringToHex } from 'viem'

/** A call of a token's contract, with its arguments as the Transaction Builder shows them. */
interface BatchCall {
  /** The address of the token's contract. */
  token: string
  /** The name of the method, and its arguments in order: name, type and value. */
  method: 'transfer' | 'approve'
  inputs: readonly [name: string, type: 'address' | 'uint256', value: string][]
}

/** The version of the Transaction Builder whose files we write. */
const builderVersion = '1.18.2'

/**
 * A file that Safe's Transaction Builder imports: calls that the owners of a Safe sign together. The builder
 * compares the checksum, and warns about a file that was changed.
 */
export function safeBatch({
  chainId,
  safe,
  name,
  description,
  createdAt,
  calls,
}: {
  chainId: number
  /** The address of the paying wallet. */
  safe: string
  name: string
  description: string
  /** In milliseconds. */
  createdAt: number
  calls: readonly BatchCall[]
}) {
  const batch = {
    version: '1.0',
    chainId: `${chainId}`,
    createdAt,
    meta: {
      name,
      description,
      txBuilderVersion: builderVersion,
      createdFromSafeAddress: safe,
      createdFromOwnerAddress: '',
    },
    transactions: calls.map(({ token, method, inputs }) => ({
      to: token,
      value: '0',
      data: null,
      contractMethod: {
        inputs: inputs.map(([name, type]) => ({ internalType: type, name, type })),
        name: method,
        payable: false,
      },
      contractInputsValues: Object.fromEntries(inputs.map(([name, , value]) => [name, value])),
    })),
  }
  return { ...batch, meta: { ...batch.meta, checksum: checksumOf(batch) } }
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The checksum that the Transaction Builder computes: of the file without its name and without a checksum. */
function checksumOf(batch: {
  meta: { readonly [name: string]: Json }
  readonly [name: string]: Json
}): string {
  return keccak256(stringToHex(spell({ ...batch, meta: { ...batch.meta, name: null } })))
}

/** The spelling of a value for the checksum: the sorted names of an object, then its values. */
function spell(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spell).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${JSON.stringify(members.map(([name]) => name))}${members.map(([, member]) => `${spell(member)},`).join('')}}`
}
