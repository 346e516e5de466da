ALTER TABLE `users` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `kept_since` integer;--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`kept_since`) WHERE "users"."kept_since" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contact_messages_of_email` ON `contact_messages` (`email`);--> statement-breakpoint
CREATE INDEX `emails_to_recipient` ON `emails` (`recipient`) WHERE "emails"."recipient" <> '';--> statement-breakpoint
-- Whoever closes it: the shop keeps an admin, no order stays payable, and nothing personal is left in this row.
CREATE TRIGGER `users_are_closed_as_a_whole` BEFORE UPDATE OF `closed_at` ON `users`
WHEN OLD.`closed_at` IS NULL AND NEW.`closed_at` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the shop needs an admin')
    WHERE OLD.`role` = 'admin' AND OLD.`email_verified_at` IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM `users` WHERE `id` <> OLD.`id` AND `role` = 'admin' AND `email_verified_at` IS NOT NULL
    );
  SELECT RAISE(ABORT, 'an account with an unpaid order is not closed')
    WHERE EXISTS (SELECT 1 FROM `orders` WHERE `state` = 'unpaid' AND `customer_id` = OLD.`id`);
  SELECT RAISE(ABORT, 'a closed account has no name, no address and no role')
    WHERE NEW.`email` <> 'closed account ' || OLD.`id` OR NEW.`name` <> 'Closed account' OR NEW.`role` <> 'customer'
      OR coalesce(NEW.`image`, NEW.`address`, NEW.`phone`) IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `users_stay_closed` BEFORE UPDATE OF `id`, `email`, `name`, `role`, `email_verified_at`, `image`, `address`, `phone`, `closed_at`
  ON `users` WHEN OLD.`closed_at` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
-- A request may have looked the user up before the account was closed.
CREATE TRIGGER `sessions_of_open_accounts` BEFORE INSERT ON `sessions`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
CREATE TRIGGER `passwords_of_open_accounts` BEFORE INSERT ON `passwords`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
CREATE TRIGGER `identities_of_open_accounts` BEFORE INSERT ON `identities`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_of_open_accounts` BEFORE INSERT ON `reviews`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_of_open_accounts` BEFORE INSERT ON `orders`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`customer_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
DROP TRIGGER `orders_keep_their_terms`;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `created_at`, `hold_until`, `quote_id` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_email` BEFORE UPDATE OF `customer_email` ON `orders`
WHEN NEW.`customer_email` <> 'closed account'
  OR (SELECT `closed_at` FROM `users` WHERE `id` = OLD.`customer_id`) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
DROP TRIGGER `audit_log_enqueues_emails`;
--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_emails` AFTER INSERT ON `audit_log`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
  -- The terms of such an order are the words of whoever did not own the address; who closes an account gets one email about it.
  AND NEW.`actor` NOT IN ('account recovery', 'account closed')
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`)
    SELECT NEW.`event` || ':' || `orders`.`id` || CASE NEW.`event` WHEN 'refund made' THEN ':' || NEW.`note` ELSE '' END,
      `orders`.`customer_email`, '', '', '', NEW.`at`, NEW.`at`, NEW.`id`
    FROM `orders` JOIN `users` ON `users`.`id` = `orders`.`customer_id`
    WHERE `orders`.`id` = NEW.`order_id` AND `users`.`email_verified_at` IS NOT NULL AND `orders`.`customer_email` <> 'closed account';
END;
--> statement-breakpoint
CREATE TRIGGER `wishes_of_open_accounts` BEFORE INSERT ON `wishes`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
DROP TRIGGER `invoices_are_never_changed`;
--> statement-breakpoint
-- But for the buyer, once its order has no name any more: the years for the books are over.
CREATE TRIGGER `invoices_are_never_changed` BEFORE UPDATE ON `invoices`
WHEN NEW.`order_id` <> OLD.`order_id` OR NEW.`series` <> OLD.`series` OR NEW.`number` <> OLD.`number` OR NEW.`issued_at` <> OLD.`issued_at`
  OR (OLD.`seller_id` IS NOT NULL AND NEW.`seller_id` IS NOT OLD.`seller_id`)
  OR NOT (
    (OLD.`seller_id` IS NULL AND NEW.`seller_id` IS NOT NULL AND NEW.`buyer_name` = OLD.`buyer_name`
      AND NEW.`buyer_address` = OLD.`buyer_address` AND NEW.`company` IS OLD.`company` AND NEW.`vat_number` IS OLD.`vat_number`
      AND NEW.`purchase_order` IS OLD.`purchase_order`)
    OR (NEW.`seller_id` IS OLD.`seller_id` AND NEW.`buyer_name` = 'Closed account' AND NEW.`buyer_address` = ''
      AND coalesce(NEW.`company`, NEW.`vat_number`, NEW.`purchase_order`) IS NULL
      AND (SELECT `customer_email` FROM `orders` WHERE `id` = OLD.`order_id`) = 'closed account')
  )
BEGIN
  SELECT RAISE(ABORT, 'an invoice is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_of_open_accounts` BEFORE INSERT ON `quotes`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`customer_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
-- As before, but for the customer's words: they go when the account is closed.
DROP TRIGGER `quotes_move_forward`;
--> statement-breakpoint
CREATE TRIGGER `quotes_move_forward` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `wanted_quantity`, `created_at`,
  `state`, `quantity`, `unit_price_cents`, `valid_until`, `reply`, `answered_by`, `answered_at` ON `quotes`
WHEN NEW.`id` <> OLD.`id` OR NEW.`customer_id` <> OLD.`customer_id` OR NEW.`instrument_id` <> OLD.`instrument_id`
  OR NEW.`submission_id` <> OLD.`submission_id` OR NEW.`wanted_quantity` <> OLD.`wanted_quantity` OR NEW.`created_at` <> OLD.`created_at`
  OR NEW.`state` = 'asked' OR OLD.`state` = 'declined'
  OR (OLD.`state` = 'offered' AND NEW.`state` = 'offered')
BEGIN
  SELECT RAISE(ABORT, 'a quote is answered once, and its terms never change');
END;
--> statement-breakpoint
DROP TRIGGER `quotes_accepted_stand`;
--> statement-breakpoint
CREATE TRIGGER `quotes_accepted_stand` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `wanted_quantity`, `created_at`,
  `state`, `quantity`, `unit_price_cents`, `valid_until`, `reply`, `answered_by`, `answered_at` ON `quotes`
WHEN EXISTS (SELECT 1 FROM `orders` WHERE `quote_id` = OLD.`id`)
BEGIN
  SELECT RAISE(ABORT, 'an accepted offer stands');
END;
--> statement-breakpoint
DROP TRIGGER `quotes_are_answered_by_admins`;
--> statement-breakpoint
CREATE TRIGGER `quotes_are_answered_by_admins` BEFORE UPDATE OF `state`, `quantity`, `unit_price_cents`, `valid_until`, `reply`, `answered_by`,
  `answered_at` ON `quotes`
WHEN NOT EXISTS (SELECT 1 FROM `users` WHERE `id` = NEW.`answered_by` AND `role` = 'admin')
BEGIN
  SELECT RAISE(ABORT, 'an admin answers a quote');
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_keep_their_words` BEFORE UPDATE OF `note` ON `quotes`
WHEN NEW.`note` IS NOT OLD.`note`
  AND (NEW.`note` IS NOT NULL OR (SELECT `closed_at` FROM `users` WHERE `id` = OLD.`customer_id`) IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'a quote is answered once, and its terms never change');
END;
