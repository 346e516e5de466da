import type { PageResponse, TestBrowser } from './test-browser'

/** The page that asks before a refund: pressing Refund there pays. */
export async function askForRefund(
  admin: TestBrowser,
  orderId: string,
  typed: Record<string, string>,
): Promise<PageResponse> {
  return admin.press(await admin.get(`/dashboard/manageOrders/${orderId}`), 'Refund', typed)
}

export async function refund(
  admin: TestBrowser,
  orderId: string,
  typed: Record<string, string>,
): Promise<PageResponse> {
  return admin.press(await askForRefund(admin, orderId, typed), 'Refund')
}
