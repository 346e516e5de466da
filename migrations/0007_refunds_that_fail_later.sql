ALTER TABLE `refunds` ADD `undone_at` integer;--> statement-breakpoint
CREATE INDEX `refunds_by_refund` ON `refunds` (`refund_id`);--> statement-breakpoint
CREATE INDEX `refunds_of_order` ON `refunds` (`order_id`);--> statement-breakpoint
DROP TRIGGER `refunds_are_made_once`;
--> statement-breakpoint
CREATE TRIGGER `refunds_are_made_once` BEFORE UPDATE ON `refunds`
WHEN OLD.`refund_id` IS NOT NULL AND (OLD.`undone_at` IS NOT NULL OR NEW.`undone_at` IS NULL
  OR NEW.`transaction_id` <> OLD.`transaction_id` OR NEW.`order_id` <> OLD.`order_id` OR NEW.`amount_cents` <> OLD.`amount_cents`
  OR NEW.`refund_id` IS NOT OLD.`refund_id` OR NEW.`made_at` IS NOT OLD.`made_at`)
BEGIN
  SELECT RAISE(ABORT, 'a refund that is made is never changed');
END;
