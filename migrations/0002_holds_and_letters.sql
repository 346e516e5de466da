DROP INDEX `payment_attempts_open`;--> statement-breakpoint
ALTER TABLE `payment_attempts` ADD `ask_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_attempts_to_ask` ON `payment_attempts` (`ask_at`) WHERE "payment_attempts"."state" = 'open';--> statement-breakpoint
ALTER TABLE `mails` ADD `journal_id` integer REFERENCES journal(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `hold_until` integer;--> statement-breakpoint
CREATE INDEX `orders_by_hold` ON `orders` (`hold_until`,`instrument_id`) WHERE "orders"."state" = 'unpaid';--> statement-breakpoint
ALTER TABLE `refunds` ADD `made_at` integer;