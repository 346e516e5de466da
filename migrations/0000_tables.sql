CREATE TABLE `access_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`session_hash`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_tokens_by_session` ON `access_tokens` (`session_hash`);--> statement-breakpoint
CREATE INDEX `access_tokens_by_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `contact_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`message` text NOT NULL,
	`copy` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "contact_messages_copy" CHECK("contact_messages"."copy" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `contact_messages_by_age` ON `contact_messages` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `identities_by_user` ON `identities` (`user_id`);--> statement-breakpoint
CREATE TABLE `instruments` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`family` text,
	`img` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`price_cents` integer NOT NULL,
	`min_quantity` integer NOT NULL,
	`available_quantity` integer DEFAULT 0 NOT NULL,
	`listed_at` integer NOT NULL,
	`removed_at` integer,
	CONSTRAINT "instruments_family" CHECK("instruments"."family" IN ('strings', 'brass', 'woodwind', 'cases')),
	CONSTRAINT "instruments_name" CHECK(length("instruments"."name") BETWEEN 1 AND 120),
	CONSTRAINT "instruments_price" CHECK("instruments"."price_cents" BETWEEN 1 AND 99999999),
	CONSTRAINT "instruments_minimum" CHECK("instruments"."min_quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "instruments_available" CHECK("instruments"."available_quantity" BETWEEN 0 AND 1000000)
) STRICT;
--> statement-breakpoint
CREATE INDEX `instruments_on_sale` ON `instruments` (`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_name` ON `instruments` (`name`) WHERE "instruments"."removed_at" IS NULL;--> statement-breakpoint
CREATE TABLE `journal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`actor` text NOT NULL,
	`instrument_id` text,
	`order_id` text,
	`user_id` text,
	`stock_delta` integer DEFAULT 0 NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "journal_stock" CHECK("journal"."stock_delta" = 0 OR "journal"."instrument_id" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `journal_of_order` ON `journal` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `journal_of_instrument` ON `journal` (`instrument_id`,`id`);--> statement-breakpoint
CREATE TABLE `mail_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_tokens_purpose" CHECK("mail_tokens"."purpose" IN ('verify-email', 'reset-password'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `mail_tokens_by_user` ON `mail_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `mail_tokens_by_expiry` ON `mail_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sent_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `mails_waiting` ON `mails` (`due_at`) WHERE "mails"."sent_at" IS NULL;--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`instrument_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`product_name` text NOT NULL,
	`unit_price_cents` integer NOT NULL,
	`quantity` integer NOT NULL,
	`total_cents` integer NOT NULL,
	`customer_name` text NOT NULL,
	`customer_email` text NOT NULL,
	`customer_address` text NOT NULL,
	`customer_phone` text NOT NULL,
	`state` text DEFAULT 'unpaid' NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`shipped_at` integer,
	`cancelled_at` integer,
	`transaction_id` text,
	`moved_by` text NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_state" CHECK("orders"."state" IN ('unpaid', 'paid', 'shipped', 'cancelled')),
	CONSTRAINT "orders_quantity" CHECK("orders"."quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "orders_total" CHECK("orders"."total_cents" = "orders"."unit_price_cents" * "orders"."quantity"),
	CONSTRAINT "orders_payable" CHECK("orders"."total_cents" BETWEEN 50 AND 99999999),
	CONSTRAINT "orders_paid" CHECK(("orders"."state" IN ('paid', 'shipped')) = ("orders"."transaction_id" IS NOT NULL) AND ("orders"."state" IN ('paid', 'shipped')) = ("orders"."paid_at" IS NOT NULL)),
	CONSTRAINT "orders_shipped" CHECK(("orders"."state" = 'shipped') = ("orders"."shipped_at" IS NOT NULL)),
	CONSTRAINT "orders_cancelled" CHECK(("orders"."state" = 'cancelled') = ("orders"."cancelled_at" IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_transaction_id_unique` ON `orders` (`transaction_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_once` ON `orders` (`customer_id`,`submission_id`);--> statement-breakpoint
CREATE INDEX `orders_of_customer` ON `orders` (`customer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_by_age` ON `orders` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_of_instrument` ON `orders` (`instrument_id`);--> statement-breakpoint
CREATE TABLE `passwords` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `payment_attempts` (
	`order_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'opening' NOT NULL,
	`provider_id` text,
	`url` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `attempt`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_attempts_kind" CHECK("payment_attempts"."kind" IN ('checkout', 'intent')),
	CONSTRAINT "payment_attempts_state" CHECK("payment_attempts"."state" IN ('opening', 'open', 'closed')),
	CONSTRAINT "payment_attempts_open" CHECK("payment_attempts"."state" <> 'open' OR "payment_attempts"."provider_id" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_provider_id_unique` ON `payment_attempts` (`provider_id`);--> statement-breakpoint
CREATE INDEX `payment_attempts_open` ON `payment_attempts` (`created_at`) WHERE "payment_attempts"."state" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_one_open` ON `payment_attempts` (`order_id`) WHERE "payment_attempts"."state" <> 'closed';--> statement-breakpoint
CREATE TABLE `refunds` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`refund_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_cents" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_owed` ON `refunds` (`created_at`) WHERE "refunds"."refund_id" IS NULL;--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`img` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "reviews_description" CHECK(length("reviews"."description") BETWEEN 1 AND 1000)
) STRICT;
--> statement-breakpoint
CREATE INDEX `reviews_by_age` ON `reviews` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_of_user` ON `reviews` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `tries` (
	`key` text NOT NULL,
	`until` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key`, `until`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `tries_by_end` ON `tries` (`until`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text DEFAULT 'customer' NOT NULL,
	`email_verified_at` integer,
	`image` text,
	`address` text,
	`phone` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('customer', 'admin')),
	CONSTRAINT "users_email" CHECK("users"."email" = lower(trim("users"."email")) AND length("users"."email") BETWEEN 6 AND 254),
	CONSTRAINT "users_name" CHECK(length("users"."name") BETWEEN 1 AND 100)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_age` ON `users` (`created_at`,`id`);