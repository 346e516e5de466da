CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_by` integer,
	`withdrawn_cents` integer NOT NULL,
	`withdrawn_at` integer,
	`reinstated_cents` integer NOT NULL,
	`reinstated_at` integer,
	`asked_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disputes_state" CHECK("disputes"."state" IN ('inquiry', 'open', 'won', 'lost', 'closed')),
	CONSTRAINT "disputes_amount" CHECK("disputes"."amount_cents" > 0),
	CONSTRAINT "disputes_withdrawn" CHECK("disputes"."withdrawn_cents" >= 0 AND ("disputes"."withdrawn_cents" = 0) = ("disputes"."withdrawn_at" IS NULL)),
	CONSTRAINT "disputes_reinstated" CHECK("disputes"."reinstated_cents" >= 0 AND ("disputes"."reinstated_cents" = 0) = ("disputes"."reinstated_at" IS NULL))
) STRICT;--> statement-breakpoint
CREATE INDEX `disputes_of_order` ON `disputes` (`order_id`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`created_at`) WHERE "disputes"."state" IN ('inquiry', 'open');--> statement-breakpoint
DROP INDEX `orders_to_ship`;--> statement-breakpoint
ALTER TABLE `orders` ADD `dispute` text;--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`state`,`created_at`,`id`) WHERE "orders"."state" = 'paid' AND "orders"."returned_quantity" < "orders"."quantity" AND "orders"."refunded_cents" < "orders"."total_cents" AND coalesce("orders"."dispute", 'won') = 'won';