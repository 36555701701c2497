/** The name of the ledger's log in the database. */
export const ledgerLog = 'ledger'
