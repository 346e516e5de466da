ALTER TABLE `contact_messages` ADD `done_at` integer;--> statement-breakpoint
CREATE INDEX `contact_messages_open` ON `contact_messages` (`created_at`,`id`) WHERE "contact_messages"."done_at" IS NULL;--> statement-breakpoint
CREATE INDEX `contact_messages_done` ON `contact_messages` (`created_at`,`id`) WHERE "contact_messages"."done_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `reviews` ADD `hidden_at` integer;--> statement-breakpoint
ALTER TABLE `reviews` ADD `hidden_reason` text;--> statement-breakpoint
ALTER TABLE `reviews` ADD `reply` text;