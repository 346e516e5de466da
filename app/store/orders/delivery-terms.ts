/** The shopkeeper's words; null: none. */
export interface DeliveryTerms {
  /** How long a delivery takes, such as '5 to 8 working days'. */
  time: string | null
  /** Such as 'Within 30 days of delivery'. */
  returns: string | null
}
