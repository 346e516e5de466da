/** Who the shop is: it stands nowhere else in `app/`. */
export const shopName = 'Cadenza'
