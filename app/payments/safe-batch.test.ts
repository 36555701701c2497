import { expect, test } from 'vitest'
import { safeBatch } from './safe-batch'

test('a batch has the checksum of a file that the Transaction Builder itself exported', () => {
  const batch = safeBatch({
    chainId: 1,
    safe: '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6',
    name: 'Transactions Batch',
    description: '',
    createdAt: 1761326849944,
    calls: [
      {
        token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        method: 'approve',
        inputs: [
          ['spender', 'address', '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8'],
          ['value', 'uint256', '100000000000'],
        ],
      },
    ],
  })
  expect(batch.meta.checksum).toBe('0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989')
})
