ALTER TABLE `users` ADD `review_email_after` integer DEFAULT 0;--> statement-breakpoint
CREATE INDEX `orders_shipped_by_time` ON `orders` (`state`,`shipped_at`) WHERE "orders"."state" = 'shipped';