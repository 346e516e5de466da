DROP INDEX `orders_of_customer`;--> statement-breakpoint
DROP INDEX `orders_by_hold`;--> statement-breakpoint
CREATE INDEX `orders_unpaid_of_instrument` ON `orders` (`state`,`instrument_id`,`hold_until`) WHERE "orders"."state" = 'unpaid';--> statement-breakpoint
CREATE INDEX `orders_unpaid_of_customer` ON `orders` (`state`,`customer_id`,`instrument_id`) WHERE "orders"."state" = 'unpaid';--> statement-breakpoint
CREATE INDEX `orders_of_customer` ON `orders` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_by_hold` ON `orders` (`state`,`hold_until`) WHERE "orders"."state" = 'unpaid';--> statement-breakpoint
CREATE INDEX `stripe_events_by_age` ON `stripe_events` (`received_at`);