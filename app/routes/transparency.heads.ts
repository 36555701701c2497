export { exportHeads as loader } from '~/ledger/export.server'
