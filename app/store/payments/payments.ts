/** What to tell a customer who comes back from paying. */
export type Settlement = 'paid' | 'not-paid' | 'provider-away'
