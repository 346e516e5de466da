CREATE TABLE `unmatched_payments` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`found_at` integer NOT NULL,
	`refund_id` text,
	`refunded_at` integer,
	CONSTRAINT "unmatched_payments_amount" CHECK("unmatched_payments"."amount_cents" > 0),
	CONSTRAINT "unmatched_payments_refunded" CHECK(("unmatched_payments"."refund_id" IS NULL) = ("unmatched_payments"."refunded_at" IS NULL))
) STRICT;
--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `order_number_floor` integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
DROP TRIGGER `orders_get_a_number`;
--> statement-breakpoint
CREATE TRIGGER `orders_get_a_number` AFTER INSERT ON `orders`
BEGIN
  UPDATE `orders` SET `number` = 1 + max(
    (SELECT coalesce(max(`number`), 0) FROM `orders`),
    (SELECT coalesce(max(`order_number_floor`), 1000) FROM `shop_settings`)
  ) WHERE `id` = NEW.`id`;
END;
