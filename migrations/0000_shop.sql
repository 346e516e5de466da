CREATE TABLE `users` (
	`search_id` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text DEFAULT 'customer' NOT NULL,
	`email_verified_at` integer,
	`staff_role` text,
	`image` text,
	`address` text,
	`phone` text,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`kept_since` integer,
	`review_email_after` integer DEFAULT 0,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('customer', 'admin')),
	CONSTRAINT "users_staff_role" CHECK("users"."staff_role" IN ('packer', 'bookkeeper')),
	CONSTRAINT "users_one_role" CHECK("users"."staff_role" IS NULL OR ("users"."role" = 'customer' AND "users"."closed_at" IS NULL)),
	CONSTRAINT "users_email" CHECK("users"."email" = lower(trim("users"."email")) AND length("users"."email") BETWEEN 6 AND 254),
	CONSTRAINT "users_name" CHECK(length("users"."name") BETWEEN 1 AND 100)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE INDEX `users_by_age` ON `users` (`created_at`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`id`);
--> statement-breakpoint
CREATE INDEX `users_admins` ON `users` (`role`) WHERE "users"."role" = 'admin';
--> statement-breakpoint
CREATE INDEX `users_to_erase` ON `users` (`kept_since`) WHERE "users"."kept_since" IS NOT NULL;
--> statement-breakpoint
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
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`seen_at`);
--> statement-breakpoint
CREATE TABLE `access_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`session_hash`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_tokens_by_session` ON `access_tokens` (`session_hash`,`created_at`);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`calls` integer DEFAULT 0 NOT NULL,
	`window_until` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_keys_name" CHECK(length("api_keys"."name") BETWEEN 1 AND 60)
) STRICT;
--> statement-breakpoint
CREATE TABLE `families` (
	`slug` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`hidden` integer DEFAULT 0 NOT NULL,
	`cases` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`former` text DEFAULT '[]' NOT NULL,
	CONSTRAINT "families_slug" CHECK(length("families"."slug") BETWEEN 1 AND 40 AND "families"."slug" GLOB '[a-z0-9]*' AND "families"."slug" NOT GLOB '*[^a-z0-9-]*'),
	CONSTRAINT "families_name" CHECK(length("families"."name") BETWEEN 1 AND 30),
	CONSTRAINT "families_hidden" CHECK("families"."hidden" IN (0, 1)),
	CONSTRAINT "families_cases" CHECK("families"."cases" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `families_once` ON `families` ("name" COLLATE NOCASE);
--> statement-breakpoint
CREATE TABLE `instruments` (
	`search_id` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`img` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`brand` text,
	`level` text,
	`ages` text,
	`price_cents` integer NOT NULL,
	`min_quantity` integer NOT NULL,
	`price_breaks` text DEFAULT '[]' NOT NULL,
	`available_quantity` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`slug` text DEFAULT (lower(hex(randomblob(8)))) NOT NULL,
	`listed_at` integer NOT NULL,
	`removed_at` integer,
	`hidden` integer DEFAULT 0 NOT NULL,
	`low_stock_threshold` integer,
	`attributes` text DEFAULT '[]' NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`pictures` text DEFAULT '[]' NOT NULL,
	`family_slug` text,
	`sale_cents` integer,
	`sale_from_at` integer,
	`sale_until_at` integer,
	`prior_cents` integer,
	`name_key` text,
	FOREIGN KEY (`family_slug`) REFERENCES `families`(`slug`) ON UPDATE cascade ON DELETE no action,
	CONSTRAINT "instruments_name" CHECK(length("instruments"."name") BETWEEN 1 AND 120),
	CONSTRAINT "instruments_level" CHECK("instruments"."level" IN ('beginner', 'intermediate', 'professional')),
	CONSTRAINT "instruments_ages" CHECK("instruments"."ages" GLOB '[0-9]*' AND length("instruments"."ages") BETWEEN 2 AND 8),
	CONSTRAINT "instruments_price" CHECK("instruments"."price_cents" BETWEEN 1 AND 99999999),
	CONSTRAINT "instruments_minimum" CHECK("instruments"."min_quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "instruments_available" CHECK("instruments"."available_quantity" BETWEEN 0 AND 1000000),
	CONSTRAINT "instruments_hidden" CHECK("instruments"."hidden" = 0 OR ("instruments"."hidden" = 1 AND "instruments"."removed_at" IS NOT NULL)),
	CONSTRAINT "instruments_threshold" CHECK("instruments"."low_stock_threshold" BETWEEN 0 AND 1000000),
	CONSTRAINT "instruments_price_breaks" CHECK(json_type("instruments"."price_breaks") = 'array' AND json_array_length("instruments"."price_breaks") <= 5 AND ("instruments"."price_breaks" = '[]' OR coalesce(
        "instruments"."price_breaks" ->> '$[0].from' > "instruments"."min_quantity" AND "instruments"."price_breaks" ->> '$[0].priceCents' BETWEEN 1 AND "instruments"."price_cents" - 1, 0))),
	CONSTRAINT "instruments_price_breaks_fall" CHECK((json_array_length("instruments"."price_breaks") <= 1 OR coalesce("instruments"."price_breaks" ->> '$[1].from' > "instruments"."price_breaks" ->> '$[0].from' AND "instruments"."price_breaks" ->> '$[1].priceCents' BETWEEN 1 AND "instruments"."price_breaks" ->> '$[0].priceCents' - 1, 0)) AND (json_array_length("instruments"."price_breaks") <= 2 OR coalesce("instruments"."price_breaks" ->> '$[2].from' > "instruments"."price_breaks" ->> '$[1].from' AND "instruments"."price_breaks" ->> '$[2].priceCents' BETWEEN 1 AND "instruments"."price_breaks" ->> '$[1].priceCents' - 1, 0)) AND (json_array_length("instruments"."price_breaks") <= 3 OR coalesce("instruments"."price_breaks" ->> '$[3].from' > "instruments"."price_breaks" ->> '$[2].from' AND "instruments"."price_breaks" ->> '$[3].priceCents' BETWEEN 1 AND "instruments"."price_breaks" ->> '$[2].priceCents' - 1, 0)) AND (json_array_length("instruments"."price_breaks") <= 4 OR coalesce("instruments"."price_breaks" ->> '$[4].from' > "instruments"."price_breaks" ->> '$[3].from' AND "instruments"."price_breaks" ->> '$[4].priceCents' BETWEEN 1 AND "instruments"."price_breaks" ->> '$[3].priceCents' - 1, 0))),
	CONSTRAINT "instruments_attributes" CHECK(json_type("instruments"."attributes") = 'array' AND json_array_length("instruments"."attributes") <= 20),
	CONSTRAINT "instruments_alt" CHECK(length("instruments"."alt") <= 200),
	CONSTRAINT "instruments_pictures" CHECK(json_type("instruments"."pictures") = 'array' AND json_array_length("instruments"."pictures") <= 7),
	CONSTRAINT "instruments_sale" CHECK("instruments"."sale_cents" BETWEEN 1 AND 99999999),
	CONSTRAINT "instruments_sale_days" CHECK(("instruments"."sale_cents" IS NULL) = ("instruments"."sale_from_at" IS NULL) AND ("instruments"."sale_cents" IS NULL) = ("instruments"."sale_until_at" IS NULL)
        AND coalesce("instruments"."sale_from_at" < "instruments"."sale_until_at", 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `instruments_slug` ON `instruments` (`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `instruments_id_unique` ON `instruments` (`id`);
--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_price` ON `instruments` (`price_cents`,`id`) WHERE "instruments"."removed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `instruments_managed` ON `instruments` (`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL OR "instruments"."hidden" = 1;
--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_family` ON `instruments` (`family_slug`,`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_sale_price` ON `instruments` (`sale_cents`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."sale_cents" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `instruments_on_sale_from_a_to_z` ON `instruments` (coalesce("name_key", lower("name")),`id`) WHERE "instruments"."removed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `instruments_short` ON `instruments` (`available_quantity`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."available_quantity" < coalesce("instruments"."low_stock_threshold" + 1, "instruments"."min_quantity");
--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`instrument_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`wanted_quantity` integer NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'asked' NOT NULL,
	`quantity` integer,
	`unit_price_cents` integer,
	`valid_until` integer,
	`reply` text,
	`answered_by` text,
	`answered_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quotes_state" CHECK("quotes"."state" IN ('asked', 'offered', 'declined')),
	CONSTRAINT "quotes_wanted" CHECK("quotes"."wanted_quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "quotes_quantity" CHECK("quotes"."quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "quotes_payable" CHECK("quotes"."unit_price_cents" > 0 AND "quotes"."unit_price_cents" * "quotes"."quantity" BETWEEN 50 AND 99999999),
	CONSTRAINT "quotes_answered" CHECK(("quotes"."state" = 'asked') = ("quotes"."answered_at" IS NULL) AND ("quotes"."state" = 'asked') = ("quotes"."answered_by" IS NULL)),
	CONSTRAINT "quotes_offered" CHECK(("quotes"."quantity" IS NULL) = ("quotes"."unit_price_cents" IS NULL) AND ("quotes"."quantity" IS NULL) = ("quotes"."valid_until" IS NULL) AND ("quotes"."state" = 'declined' OR ("quotes"."state" = 'offered') = ("quotes"."quantity" IS NOT NULL))),
	CONSTRAINT "quotes_declined" CHECK("quotes"."state" <> 'declined' OR "quotes"."reply" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `quotes_once` ON `quotes` (`customer_id`,`submission_id`);
--> statement-breakpoint
CREATE INDEX `quotes_of_customer` ON `quotes` (`customer_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `quotes_asked` ON `quotes` (`created_at`,`id`) WHERE "quotes"."state" = 'asked';
--> statement-breakpoint
CREATE INDEX `quotes_answered_by_age` ON `quotes` (`created_at`,`id`) WHERE "quotes"."state" <> 'asked';
--> statement-breakpoint
CREATE TABLE `discounts` (
	`code` text PRIMARY KEY NOT NULL,
	`percent` integer,
	`amount_cents` integer,
	`from_at` integer NOT NULL,
	`until_at` integer,
	`min_total_cents` integer DEFAULT 0 NOT NULL,
	`max_uses` integer,
	`max_uses_per_customer` integer,
	`instruments` text DEFAULT '[]' NOT NULL,
	`families` text DEFAULT '[]' NOT NULL,
	`combines` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "discounts_code" CHECK(length("discounts"."code") BETWEEN 3 AND 30 AND "discounts"."code" NOT GLOB '*[^A-Z0-9-]*'),
	CONSTRAINT "discounts_off" CHECK(("discounts"."percent" IS NULL) <> ("discounts"."amount_cents" IS NULL) AND coalesce("discounts"."percent", 1) BETWEEN 1 AND 100 AND coalesce("discounts"."amount_cents", 1) BETWEEN 1 AND 99999999),
	CONSTRAINT "discounts_period" CHECK("discounts"."until_at" > "discounts"."from_at"),
	CONSTRAINT "discounts_minimum" CHECK("discounts"."min_total_cents" BETWEEN 0 AND 99999999),
	CONSTRAINT "discounts_uses" CHECK("discounts"."max_uses" > 0),
	CONSTRAINT "discounts_uses_each" CHECK("discounts"."max_uses_per_customer" > 0),
	CONSTRAINT "discounts_combines" CHECK("discounts"."combines" IN (0, 1)),
	CONSTRAINT "discounts_scope" CHECK(json_type("discounts"."instruments") = 'array' AND json_type("discounts"."families") = 'array')
) STRICT;
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
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
	`hold_until` integer,
	`paid_at` integer,
	`shipped_at` integer,
	`cancelled_at` integer,
	`transaction_id` text,
	`moved_by` text NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`returned_quantity` integer DEFAULT 0 NOT NULL,
	`dispute` text,
	`carrier` text,
	`tracking_number` text,
	`tracking_url` text,
	`company` text,
	`vat_number` text,
	`purchase_order` text,
	`language` text DEFAULT 'en' NOT NULL,
	`staff_note` text,
	`ip_hash` text,
	`quote_id` text,
	`discount_code` text,
	`discount_cents` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`quote_id`) REFERENCES `quotes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`discount_code`) REFERENCES `discounts`(`code`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_discount" CHECK(("orders"."discount_code" IS NULL) = ("orders"."discount_cents" IS NULL) AND coalesce("orders"."discount_cents", 1) > 0),
	CONSTRAINT "orders_state" CHECK("orders"."state" IN ('unpaid', 'paid', 'shipped', 'cancelled')),
	CONSTRAINT "orders_quantity" CHECK("orders"."quantity" BETWEEN 1 AND 1000000),
	CONSTRAINT "orders_total" CHECK("orders"."total_cents" = "orders"."unit_price_cents" * "orders"."quantity"),
	CONSTRAINT "orders_payable" CHECK("orders"."total_cents" BETWEEN 50 AND 99999999),
	CONSTRAINT "orders_paid" CHECK(("orders"."state" IN ('paid', 'shipped')) = ("orders"."transaction_id" IS NOT NULL) AND ("orders"."state" IN ('paid', 'shipped')) = ("orders"."paid_at" IS NOT NULL)),
	CONSTRAINT "orders_shipped" CHECK(("orders"."state" = 'shipped') = ("orders"."shipped_at" IS NOT NULL)),
	CONSTRAINT "orders_cancelled" CHECK(("orders"."state" = 'cancelled') = ("orders"."cancelled_at" IS NOT NULL)),
	CONSTRAINT "orders_refunded" CHECK("orders"."refunded_cents" BETWEEN 0 AND CASE WHEN "orders"."transaction_id" IS NULL THEN 0 ELSE "orders"."total_cents" END),
	CONSTRAINT "orders_shipment" CHECK("orders"."state" = 'shipped' OR coalesce("orders"."carrier", "orders"."tracking_number", "orders"."tracking_url") IS NULL),
	CONSTRAINT "orders_tracking_url" CHECK("orders"."tracking_url" LIKE 'https://%'),
	CONSTRAINT "orders_company" CHECK(length("orders"."company") BETWEEN 1 AND 100),
	CONSTRAINT "orders_vat_number" CHECK(length("orders"."vat_number") BETWEEN 4 AND 30),
	CONSTRAINT "orders_purchase_order" CHECK(length("orders"."purchase_order") BETWEEN 1 AND 60),
	CONSTRAINT "orders_returned" CHECK("orders"."returned_quantity" BETWEEN 0 AND "orders"."quantity")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_transaction_id_unique` ON `orders` (`transaction_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_once` ON `orders` (`customer_id`,`submission_id`);
--> statement-breakpoint
CREATE INDEX `orders_by_age` ON `orders` (`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_by_state` ON `orders` (`state`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_unpaid_of_instrument` ON `orders` (`state`,`instrument_id`,`hold_until`) WHERE "orders"."state" = 'unpaid';
--> statement-breakpoint
CREATE INDEX `orders_unpaid_of_customer` ON `orders` (`state`,`customer_id`,`instrument_id`) WHERE "orders"."state" = 'unpaid';
--> statement-breakpoint
CREATE INDEX `orders_of_customer` ON `orders` (`customer_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `orders_of_ip` ON `orders` (`ip_hash`,`created_at`) WHERE "orders"."ip_hash" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_quote` ON `orders` (`quote_id`) WHERE "orders"."quote_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `orders_bought` ON `orders` (`customer_id`,`instrument_id`) WHERE "orders"."state" IN ('paid', 'shipped') AND "orders"."refunded_cents" < "orders"."total_cents";
--> statement-breakpoint
CREATE INDEX `orders_shipped_by_time` ON `orders` (`state`,`shipped_at`) WHERE "orders"."state" = 'shipped';
--> statement-breakpoint
CREATE INDEX `orders_of_discount` ON `orders` (`discount_code`,`customer_id`) WHERE "orders"."discount_code" IS NOT NULL AND "orders"."state" <> 'cancelled';
--> statement-breakpoint
CREATE INDEX `orders_of_instrument` ON `orders` (`instrument_id`,`paid_at`);
--> statement-breakpoint
CREATE INDEX `orders_to_ship` ON `orders` (`state`,`created_at`,`id`) WHERE "orders"."state" = 'paid' AND "orders"."returned_quantity" < "orders"."quantity" AND "orders"."refunded_cents" < "orders"."total_cents" AND coalesce("orders"."dispute", 'won') = 'won';
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`actor` text NOT NULL,
	`instrument_id` text,
	`order_id` text,
	`user_id` text,
	`stock_delta` integer DEFAULT 0 NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`submission_id` text,
	`about_id` text GENERATED ALWAYS AS (CASE WHEN "event" IN ('order paid', 'refund owed', 'refund made', 'refund failed', 'pieces returned',
    'payment without order', 'payment without order refunded', 'quote asked', 'quote offered', 'quote declined', 'review written') THEN "note" END) VIRTUAL,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "audit_log_stock" CHECK("audit_log"."stock_delta" = 0 OR "audit_log"."instrument_id" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_log_of_order` ON `audit_log` (`order_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_of_instrument` ON `audit_log` (`instrument_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_of_user` ON `audit_log` (`user_id`,`id`) WHERE "audit_log"."user_id" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_once` ON `audit_log` (`submission_id`) WHERE "audit_log"."submission_id" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `buyers` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`last_month` text NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `contact_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`message` text NOT NULL,
	`copy` integer NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer,
	CONSTRAINT "contact_messages_copy" CHECK("contact_messages"."copy" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `contact_messages_open` ON `contact_messages` (`created_at`,`id`) WHERE "contact_messages"."done_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `contact_messages_done` ON `contact_messages` (`created_at`,`id`) WHERE "contact_messages"."done_at" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `contact_messages_of_email` ON `contact_messages` (`email`);
--> statement-breakpoint
CREATE TABLE `sellers` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`vat_number` text,
	`vat_rate` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "sellers_vat_rate" CHECK("sellers"."vat_rate" BETWEEN 0 AND 9999)
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoices` (
	`order_id` text PRIMARY KEY NOT NULL,
	`series` integer NOT NULL,
	`number` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`seller_id` integer,
	`buyer_name` text NOT NULL,
	`buyer_address` text NOT NULL,
	`company` text,
	`vat_number` text,
	`purchase_order` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `sellers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`series`,`number`);
--> statement-breakpoint
CREATE TABLE `order_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`submission_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`reason` text NOT NULL,
	`restock` integer DEFAULT 0 NOT NULL,
	`moved_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`refund_id` text,
	`made_at` integer,
	`failed_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_refunds_amount" CHECK("order_refunds"."amount_cents" > 0),
	CONSTRAINT "order_refunds_restock" CHECK("order_refunds"."restock" >= 0),
	CONSTRAINT "order_refunds_made" CHECK(("order_refunds"."refund_id" IS NULL) = ("order_refunds"."made_at" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `order_refunds_refund_id_unique` ON `order_refunds` (`refund_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_refunds_once` ON `order_refunds` (`order_id`,`submission_id`);
--> statement-breakpoint
CREATE INDEX `order_refunds_owed` ON `order_refunds` (`created_at`) WHERE "order_refunds"."refund_id" IS NULL AND "order_refunds"."failed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `order_refunds_failed` ON `order_refunds` (`failed_at`) WHERE "order_refunds"."refund_id" IS NOT NULL AND "order_refunds"."failed_at" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`series` integer NOT NULL,
	`number` integer NOT NULL,
	`order_id` text NOT NULL,
	`order_refund_id` text NOT NULL,
	`is_reversal` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`issued_at` integer NOT NULL,
	PRIMARY KEY(`series`, `number`),
	FOREIGN KEY (`order_id`) REFERENCES `invoices`(`order_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_refund_id`) REFERENCES `order_refunds`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_notes_reversal" CHECK("credit_notes"."is_reversal" IN (0, 1)),
	CONSTRAINT "credit_notes_amount" CHECK("credit_notes"."amount_cents" <> 0 AND ("credit_notes"."amount_cents" < 0) = "credit_notes"."is_reversal")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_once` ON `credit_notes` (`order_refund_id`,`is_reversal`);
--> statement-breakpoint
CREATE INDEX `credit_notes_of_order` ON `credit_notes` (`order_id`,`series`,`number`);
--> statement-breakpoint
CREATE TABLE `customer_notes` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`note` text NOT NULL,
	`written_by` text NOT NULL,
	`written_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_notes_length" CHECK(length("customer_notes"."note") BETWEEN 1 AND 2000)
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_sales` (
	`day` integer PRIMARY KEY NOT NULL,
	`orders` integer NOT NULL,
	`revenue_cents` integer NOT NULL
) STRICT;
--> statement-breakpoint
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
) STRICT;
--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`content` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "drafts_content" CHECK(length("drafts"."content") <= 50000)
) STRICT;
--> statement-breakpoint
CREATE TABLE `email_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_tokens_purpose" CHECK("email_tokens"."purpose" IN ('verify-email', 'reset-password', 'sign-in'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `email_tokens_by_user` ON `email_tokens` (`user_id`,`purpose`);
--> statement-breakpoint
CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`audit_log_id` integer,
	`kind` text NOT NULL,
	`about_id` text,
	FOREIGN KEY (`audit_log_id`) REFERENCES `audit_log`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`due_at`) WHERE "emails"."sent_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `emails_to_forget` ON `emails` (`sent_at`) WHERE "emails"."recipient" <> '';
--> statement-breakpoint
CREATE INDEX `emails_to_recipient` ON `emails` (`recipient`) WHERE "emails"."recipient" <> '';
--> statement-breakpoint
CREATE TABLE `empty_searches` (
	`month` text NOT NULL,
	`words` text NOT NULL,
	`searches` integer NOT NULL,
	PRIMARY KEY(`month`, `words`),
	CONSTRAINT "empty_searches_words" CHECK(length("empty_searches"."words") BETWEEN 1 AND 60)
) STRICT;
--> statement-breakpoint
CREATE TABLE `former_prices` (
	`instrument_id` text NOT NULL,
	`day` integer NOT NULL,
	`price_cents` integer NOT NULL,
	PRIMARY KEY(`instrument_id`, `day`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `health` (
	`id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer,
	`ballast` text DEFAULT '' NOT NULL,
	`cron_run` text,
	`cron_lease_until` integer DEFAULT 0 NOT NULL,
	`cron_started_at` integer,
	`cron_finished_at` integer NOT NULL,
	CONSTRAINT "health_one" CHECK("health"."id" = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `identities_by_user` ON `identities` (`user_id`);
--> statement-breakpoint
CREATE VIRTUAL TABLE `instrument_search` USING fts5(`name`, `details`, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
--> statement-breakpoint
CREATE VIRTUAL TABLE `instrument_words` USING fts5(`text`, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8');
--> statement-breakpoint
CREATE TABLE `log_readers` (
	`name` text PRIMARY KEY NOT NULL,
	`read_id` integer DEFAULT 0 NOT NULL,
	`until_id` integer DEFAULT 0 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `monthly_customers` (
	`month` text PRIMARY KEY NOT NULL,
	`new_customers` integer NOT NULL,
	`returning_customers` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `monthly_sales` (
	`month` text NOT NULL,
	`instrument_id` text NOT NULL,
	`orders` integer NOT NULL,
	`pieces` integer NOT NULL,
	`revenue_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`discount_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`month`, `instrument_id`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`former` text DEFAULT '[]' NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`footer` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`changed_at` integer NOT NULL,
	`changed_by` text NOT NULL,
	`published_title` text,
	`published_body` text,
	`published_at` integer,
	FOREIGN KEY (`changed_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pages_slug" CHECK(length("pages"."slug") BETWEEN 1 AND 80 AND "pages"."slug" NOT GLOB '*[^a-z0-9-]*'),
	CONSTRAINT "pages_title" CHECK(length("pages"."title") BETWEEN 1 AND 100),
	CONSTRAINT "pages_body" CHECK(length("pages"."body") BETWEEN 1 AND 50000),
	CONSTRAINT "pages_published" CHECK(("pages"."published_at" IS NULL) = ("pages"."published_title" IS NULL) AND ("pages"."published_at" IS NULL) = ("pages"."published_body" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_slug_unique` ON `pages` (`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_footer` ON `pages` (`footer`) WHERE "pages"."footer" NOT IN ('', 'own');
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_handle` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passkeys_name" CHECK(length("passkeys"."name") BETWEEN 1 AND 50)
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkeys_by_user` ON `passkeys` (`user_id`,`created_at`);
--> statement-breakpoint
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
	`ask_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`order_id`, `attempt`),
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_attempts_kind" CHECK("payment_attempts"."kind" IN ('checkout', 'intent')),
	CONSTRAINT "payment_attempts_state" CHECK("payment_attempts"."state" IN ('opening', 'open', 'closed')),
	CONSTRAINT "payment_attempts_open" CHECK("payment_attempts"."state" <> 'open' OR "payment_attempts"."provider_id" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_provider_id_unique` ON `payment_attempts` (`provider_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_one_open` ON `payment_attempts` (`order_id`) WHERE "payment_attempts"."state" <> 'closed';
--> statement-breakpoint
CREATE INDEX `payment_attempts_to_ask` ON `payment_attempts` (`ask_at`) WHERE "payment_attempts"."state" = 'open';
--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text NOT NULL,
	`until` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key`, `until`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `second_factors`(`user_id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `refunds` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`refund_id` text,
	`created_at` integer NOT NULL,
	`made_at` integer,
	`failed_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_cents" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_of_order` ON `refunds` (`order_id`);
--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`img` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	`hidden_at` integer,
	`hidden_reason` text,
	`reply` text,
	`instrument_id` text,
	`rating` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reviews_description" CHECK(length("reviews"."description") BETWEEN 1 AND 1000),
	CONSTRAINT "reviews_rating" CHECK("reviews"."rating" BETWEEN 1 AND 5)
) STRICT;
--> statement-breakpoint
CREATE INDEX `reviews_by_age` ON `reviews` (`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `reviews_of_user` ON `reviews` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `reviews_of_instrument` ON `reviews` (`instrument_id`,`created_at`,`id`,`hidden_at`,`rating`);
--> statement-breakpoint
CREATE TABLE `settings_versions` (
	`version` integer PRIMARY KEY NOT NULL,
	`document` text NOT NULL,
	`saved_at` integer NOT NULL,
	`saved_by` text NOT NULL,
	CONSTRAINT "settings_versions_from_one" CHECK("settings_versions"."version" >= 1),
	CONSTRAINT "settings_versions_json" CHECK(json_type("settings_versions"."document") = 'object'),
	CONSTRAINT "settings_versions_size" CHECK(length("settings_versions"."document") <= 200000)
) STRICT;
--> statement-breakpoint
CREATE TABLE `shop_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_emails` text DEFAULT 'none' NOT NULL,
	`message_emails` text DEFAULT 'each' NOT NULL,
	`quote_emails` text DEFAULT 'each' NOT NULL,
	`stock_emails` text DEFAULT 'each' NOT NULL,
	`order_number_floor` integer DEFAULT 1000 NOT NULL,
	`invoice_series` integer DEFAULT 1 NOT NULL,
	`invoices_after` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "shop_settings_one" CHECK("shop_settings"."id" = 1),
	CONSTRAINT "shop_settings_order_emails" CHECK("shop_settings"."order_emails" IN ('each', 'daily', 'none'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `submissions` (
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`actor`, `key`)
) STRICT;
--> statement-breakpoint
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
CREATE VIRTUAL TABLE `user_search` USING fts5(`name`, `email`, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`events` text NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	CONSTRAINT "webhook_endpoints_state" CHECK("webhook_endpoints"."state" IN ('new', 'on', 'off')),
	CONSTRAINT "webhook_endpoints_url" CHECK(length("webhook_endpoints"."url") BETWEEN 1 AND 500)
) STRICT;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_tried_at` integer,
	`tried_at` integer,
	`status` integer,
	`answer` text DEFAULT '' NOT NULL,
	`duration_ms` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_state" CHECK("webhook_deliveries"."state" IN ('waiting', 'held', 'delivered', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`due_at`,`sequence`) WHERE "webhook_deliveries"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_order` ON `webhook_deliveries` (`endpoint_id`,`subject`,`sequence`) WHERE "webhook_deliveries"."state" = 'waiting';
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `wishes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`instrument_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	`emailed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `wishes_once` ON `wishes` (`user_id`,`instrument_id`) WHERE "wishes"."emailed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `wishes_of_instrument` ON `wishes` (`instrument_id`,`created_at`) WHERE "wishes"."emailed_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `wishes_of_user` ON `wishes` (`user_id`);
--> statement-breakpoint
CREATE TABLE `zone_offsets` (
	`from_at` integer PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `shop_settings` (`id`) VALUES (1);
--> statement-breakpoint
INSERT INTO `health` (`id`, `cron_finished_at`) VALUES (1, unixepoch() * 1000);
--> statement-breakpoint
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
-- Links in search engines and feeds use it.
CREATE TRIGGER `instruments_keep_their_slug` BEFORE UPDATE OF `slug`, `search_id`, `id` ON `instruments`
WHEN NEW.`slug` <> OLD.`slug` OR NEW.`search_id` <> OLD.`search_id` OR NEW.`id` <> OLD.`id`
BEGIN
  SELECT RAISE(ABORT, 'the slug of an instrument never changes');
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_deleted_stay_deleted` BEFORE UPDATE OF `removed_at`, `hidden` ON `instruments`
WHEN OLD.`removed_at` IS NOT NULL AND OLD.`hidden` = 0 AND (NEW.`removed_at` IS NULL OR NEW.`hidden` = 1)
BEGIN
  SELECT RAISE(ABORT, 'a deleted instrument is never shown again');
END;
--> statement-breakpoint
-- A request is answered once; an offer that no order has used may be declined later. Its customer and its terms never change.
CREATE TRIGGER `quotes_begin_asked` BEFORE INSERT ON `quotes` WHEN NEW.`state` <> 'asked' OR EXISTS (SELECT 1 FROM `quotes` WHERE `id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a quote begins as a new request');
END;
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
CREATE TRIGGER `quotes_accepted_stand` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `wanted_quantity`, `created_at`,
  `state`, `quantity`, `unit_price_cents`, `valid_until`, `reply`, `answered_by`, `answered_at` ON `quotes`
WHEN EXISTS (SELECT 1 FROM `orders` WHERE `quote_id` = OLD.`id`)
BEGIN
  SELECT RAISE(ABORT, 'an accepted offer stands');
END;
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
--> statement-breakpoint
-- What no other row proves: the answer to a quote, with its terms in `submission_id`.
CREATE TRIGGER `quotes_are_logged` AFTER UPDATE OF `state` ON `quotes`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `note`, `submission_id`)
    VALUES (NEW.`answered_at`, 'quote ' || NEW.`state`, NEW.`answered_by`, NEW.`id`, json_array('quote', NEW.`id`, NEW.`state`, NEW.`customer_id`,
      NEW.`instrument_id`, NEW.`quantity`, NEW.`unit_price_cents`, NEW.`valid_until`));
END;
--> statement-breakpoint
CREATE TRIGGER `discounts_keep_their_terms` BEFORE UPDATE OF `code`, `percent`, `amount_cents`, `from_at`, `until_at`, `min_total_cents`,
  `max_uses`, `max_uses_per_customer`, `instruments`, `combines`, `created_at`, `ended_at` ON `discounts`
WHEN OLD.`ended_at` IS NOT NULL OR NEW.`ended_at` IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a discount code is made, and ended once');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_move_forward` BEFORE UPDATE OF `state` ON `orders`
BEGIN
  -- By a packer too.
  SELECT RAISE(ABORT, 'an admin ships and refunds')
    WHERE NEW.`state` = 'shipped' AND EXISTS (
      SELECT 1 FROM `users` WHERE `id` = NEW.`moved_by` AND `role` <> 'admin' AND `staff_role` IS NOT 'packer'
    );
  SELECT RAISE(ABORT, 'an order that can still be paid is not cancelled')
    WHERE NEW.`state` = 'cancelled' AND EXISTS (SELECT 1 FROM `payment_attempts` WHERE `order_id` = OLD.`id` AND `state` <> 'closed');
  SELECT RAISE(ABORT, 'an order only moves from unpaid to paid or cancelled, and from paid to shipped')
    WHERE NOT (
      (OLD.`state` = 'unpaid' AND NEW.`state` IN ('paid', 'cancelled')) OR (OLD.`state` = 'paid' AND NEW.`state` = 'shipped')
    );
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_payment` BEFORE UPDATE OF `transaction_id`, `paid_at` ON `orders` WHEN OLD.`transaction_id` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a paid order keeps its payment');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_are_logged` AFTER UPDATE OF `state` ON `orders`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`, `note`)
    VALUES (CASE NEW.`state` WHEN 'paid' THEN NEW.`paid_at` WHEN 'shipped' THEN NEW.`shipped_at` ELSE NEW.`cancelled_at` END,
      'order ' || NEW.`state`, NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, iif(NEW.`state` = 'cancelled', NEW.`quantity`, 0),
      iif(NEW.`state` = 'paid', NEW.`transaction_id`, ''));
END;
--> statement-breakpoint
CREATE TRIGGER `orders_are_never_deleted` BEFORE DELETE ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'orders are cancelled, not deleted');
END;
--> statement-breakpoint
-- Whoever writes: the CHECKs of `orders` bound both sums, and nobody can set another sum.
CREATE TRIGGER `orders_refunds_add_up` BEFORE UPDATE OF `refunded_cents`, `returned_quantity` ON `orders`
WHEN NEW.`refunded_cents` <> (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`id` AND `failed_at` IS NULL)
  OR NEW.`returned_quantity` <> (SELECT coalesce(sum(`restock`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'the refunds of an order add up');
END;
--> statement-breakpoint
-- In the statement that makes the order paid, whoever writes it: the number is taken back with that statement, so it leaves no gap, and
-- writers wait for each other, so that no two get the same.
CREATE TRIGGER `orders_get_an_invoice` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `invoices` (`series`, `number`, `order_id`, `issued_at`, `seller_id`, `buyer_name`, `buyer_address`, `company`, `vat_number`, `purchase_order`)
    SELECT `invoice_series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `invoices` WHERE `series` = `invoice_series`),
      NEW.`id`, NEW.`paid_at`, (SELECT max(`id`) FROM `sellers`),
      NEW.`customer_name`, NEW.`customer_address`, NEW.`company`, NEW.`vat_number`, NEW.`purchase_order`
    FROM `shop_settings`;
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_email` BEFORE UPDATE OF `customer_email` ON `orders`
WHEN NEW.`customer_email` <> 'closed account'
  OR (SELECT `closed_at` FROM `users` WHERE `id` = OLD.`customer_id`) IS NULL
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_hold_stock` AFTER INSERT ON `orders`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`, `submission_id`)
    VALUES (NEW.`created_at`, 'order placed', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, -NEW.`quantity`,
      iif(NEW.`discount_code` IS NULL, NULL, json_array('order with a code', NEW.`id`, NEW.`discount_code`, NEW.`discount_cents`)));
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `number`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `created_at`, `hold_until`, `quote_id`, `discount_code`, `discount_cents` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
-- What a piece costs at a time in a quantity: the least price whose row covers both.
CREATE VIEW `prices` (`instrument_id`, `from_quantity`, `price_cents`, `from_at`, `until_at`) AS
  SELECT `instruments`.`id`, `value` ->> 'from', `value` ->> 'priceCents', coalesce(`value` ->> 'fromAt', 0),
    coalesce(`value` ->> 'untilAt', 9007199254740991)
  -- Not a UNION: SQLite would not look one instrument up in it by an expression.
  FROM `instruments`, json_each(json_insert(`price_breaks`, '$[#]', json_object('from', 1, 'priceCents', `price_cents`),
    '$[#]', json_object('from', 1, 'priceCents', `sale_cents`, 'fromAt', `sale_from_at`, 'untilAt', `sale_until_at`)))
  WHERE `value` ->> 'priceCents' IS NOT NULL;
--> statement-breakpoint
-- Of orders, without a gap; a restore raises the floor.
CREATE VIEW `next_order_number` (`number`) AS
  SELECT 1 + max(`order_number_floor`, coalesce((SELECT max(`number`) FROM `orders`), 0)) FROM `shop_settings`;
--> statement-breakpoint
CREATE TRIGGER `orders_check_terms` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'orders are numbered without a gap') WHERE NEW.`number` IS NOT (SELECT `number` FROM `next_order_number`);
  SELECT RAISE(ABORT, 'a closed account stays closed')
    WHERE (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`customer_id`) IS NOT NULL;
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    ) OR NEW.`total_cents` + coalesce(NEW.`discount_cents`, 0) IS NOT NEW.`quantity` * CASE WHEN NEW.`quote_id` IS NULL THEN (
      SELECT min(`price_cents`) FROM `prices`
      WHERE `instrument_id` = NEW.`instrument_id` AND `from_quantity` <= NEW.`quantity`
        AND `from_at` <= NEW.`created_at` AND `until_at` > NEW.`created_at`
    ) ELSE (
      SELECT `unit_price_cents` FROM `quotes`
      WHERE `id` = NEW.`quote_id` AND `customer_id` = NEW.`customer_id` AND `instrument_id` = NEW.`instrument_id`
        AND `state` = 'offered' AND `quantity` = NEW.`quantity` AND `valid_until` > NEW.`created_at`
    ) END;
  SELECT RAISE(ABORT, 'this code does not give this discount')
    WHERE NEW.`discount_code` IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM `discounts` AS `its` JOIN `instruments` ON `instruments`.`id` = NEW.`instrument_id`
      WHERE `code` = NEW.`discount_code` AND NEW.`quote_id` IS NULL AND `ended_at` IS NULL
        AND `from_at` <= NEW.`created_at` AND coalesce(`until_at` > NEW.`created_at`, 1)
        AND NEW.`total_cents` + NEW.`discount_cents` >= `min_total_cents`
        AND (`its`.`instruments` || `families` = '[][]' OR instr(`its`.`instruments`, json_quote(`instruments`.`id`))
          OR instr(`families`, json_quote(`family_slug`)))
        AND (`max_uses` IS NULL
          OR `max_uses` > (SELECT count(*) FROM `orders` WHERE `discount_code` = `code` AND `state` <> 'cancelled'))
        AND (`max_uses_per_customer` IS NULL OR `max_uses_per_customer` > (
          SELECT count(*) FROM `orders` WHERE `discount_code` = `code` AND `customer_id` = NEW.`customer_id` AND `state` <> 'cancelled'))
        -- A part of a cent is taken off whole, and never below what a card can pay.
        AND NEW.`unit_price_cents` = (
          SELECT max(`base` - coalesce(`amount_cents`, (`base` * `percent` + 99) / 100), (49 + NEW.`quantity`) / NEW.`quantity`)
          FROM (SELECT iif(`combines`, (NEW.`total_cents` + NEW.`discount_cents`) / NEW.`quantity`, `price_cents`) AS `base`)
        )
    );
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_moves_stock` AFTER INSERT ON "audit_log" WHEN NEW.`stock_delta` <> 0
BEGIN
  UPDATE `instruments` SET `available_quantity` = `available_quantity` + NEW.`stock_delta` WHERE `id` = NEW.`instrument_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_is_never_changed` BEFORE UPDATE ON "audit_log"
BEGIN
  SELECT RAISE(ABORT, 'the audit log is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_is_never_deleted` BEFORE DELETE ON "audit_log"
BEGIN
  SELECT RAISE(ABORT, 'the audit log is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_logged` AFTER INSERT ON `sellers`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `submission_id`)
    VALUES (NEW.`created_at`, 'seller stored', 'shop',
      json_array('seller', NEW.`id`, NEW.`name`, NEW.`address`, NEW.`vat_number`, NEW.`vat_rate`, NEW.`created_at`));
  -- An order that was paid by hand before there was a seller gets the first.
  UPDATE `invoices` SET `seller_id` = NEW.`id` WHERE `seller_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_stored_once` BEFORE INSERT ON `sellers` WHEN EXISTS (SELECT 1 FROM `sellers` WHERE `id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a seller is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_never_changed` BEFORE UPDATE ON `sellers`
BEGIN
  SELECT RAISE(ABORT, 'a seller is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_are_never_deleted` BEFORE DELETE ON `sellers`
BEGIN
  SELECT RAISE(ABORT, 'a seller is never deleted');
END;
--> statement-breakpoint
-- Whoever writes: the next number, of a paid order without an invoice. REPLACE deletes rows without a trigger: this refuses it, too.
CREATE TRIGGER `invoices_are_consecutive` BEFORE INSERT ON `invoices`
WHEN NEW.`number` <> 1 + (SELECT coalesce(max(`number`), 0) FROM `invoices` WHERE `series` = NEW.`series`)
  OR NEW.`series` IS NOT (SELECT `invoice_series` FROM `shop_settings`)
  OR EXISTS (SELECT 1 FROM `invoices` WHERE `order_id` = NEW.`order_id`)
  OR NOT EXISTS (SELECT 1 FROM `orders` WHERE `id` = NEW.`order_id` AND `transaction_id` IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'invoices are consecutive, one for each paid order');
END;
--> statement-breakpoint
CREATE TRIGGER `invoices_are_never_deleted` BEFORE DELETE ON `invoices`
BEGIN
  SELECT RAISE(ABORT, 'an invoice is never deleted');
END;
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
CREATE TRIGGER `order_refunds_are_stored_once` BEFORE INSERT ON `order_refunds`
BEGIN
  SELECT RAISE(ABORT, 'an admin ships and refunds')
    WHERE EXISTS (SELECT 1 FROM `users` WHERE `id` = NEW.`moved_by` AND `role` <> 'admin');
  -- REPLACE deletes rows without a trigger: refuse it here.
  SELECT RAISE(ABORT, 'a refund of an order is stored once')
    WHERE EXISTS (SELECT 1 FROM `order_refunds` WHERE `id` = NEW.`id`)
      OR EXISTS (SELECT 1 FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `submission_id` = NEW.`submission_id`)
      OR EXISTS (SELECT 1 FROM `order_refunds` WHERE `refund_id` = NEW.`refund_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_are_counted` AFTER INSERT ON `order_refunds`
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    SELECT NEW.`created_at`, iif(NEW.`refund_id` IS NULL, 'refund owed', 'refund made'), NEW.`moved_by`, NEW.`order_id`, NEW.`id`;
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `credit_notes`.`series` = `current`.`series`),
      NEW.`order_id`, NEW.`id`, 0, NEW.`amount_cents`, NEW.`created_at`
    FROM `invoices` JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `invoices`.`order_id` = NEW.`order_id` AND NEW.`refund_id` IS NOT NULL;
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`, `note`)
    SELECT NEW.`created_at`, 'pieces returned', NEW.`moved_by`, `instrument_id`, `id`, NEW.`restock`, NEW.`id`
    FROM `orders` WHERE `id` = NEW.`order_id` AND NEW.`restock` > 0;
  UPDATE `orders` SET
    `refunded_cents` = (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL),
    `returned_quantity` = (SELECT sum(`restock`) FROM `order_refunds` WHERE `order_id` = NEW.`order_id`)
    WHERE `id` = NEW.`order_id`;
END;
--> statement-breakpoint
-- An owed refund is made, or fails; one that failed before it was made may turn out to be made; one that was made may fail.
CREATE TRIGGER `order_refunds_move_forward` BEFORE UPDATE ON `order_refunds`
WHEN NEW.`id` <> OLD.`id` OR NEW.`order_id` <> OLD.`order_id` OR NEW.`submission_id` <> OLD.`submission_id`
  OR NEW.`amount_cents` <> OLD.`amount_cents` OR NEW.`reason` <> OLD.`reason` OR NEW.`restock` <> OLD.`restock`
  OR NEW.`moved_by` <> OLD.`moved_by` OR NEW.`created_at` <> OLD.`created_at`
  OR (OLD.`refund_id` IS NOT NULL AND (OLD.`failed_at` IS NOT NULL OR NEW.`refund_id` IS NOT OLD.`refund_id` OR NEW.`made_at` IS NOT OLD.`made_at`))
  OR (OLD.`failed_at` IS NOT NULL AND NEW.`refund_id` IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'a refund that is made or failed is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_made` AFTER UPDATE OF `refund_id` ON `order_refunds` WHEN OLD.`refund_id` IS NULL AND NEW.`refund_id` IS NOT NULL
BEGIN
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    VALUES (NEW.`made_at`, 'refund made', 'shop', NEW.`order_id`, NEW.`id`);
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `credit_notes`.`series` = `current`.`series`),
      NEW.`order_id`, NEW.`id`, 0, NEW.`amount_cents`, NEW.`made_at`
    FROM `invoices` JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `invoices`.`order_id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_failed` AFTER UPDATE OF `failed_at` ON `order_refunds` WHEN NEW.`failed_at` IS NOT OLD.`failed_at`
BEGIN
  INSERT INTO `credit_notes` (`series`, `number`, `order_id`, `order_refund_id`, `is_reversal`, `amount_cents`, `issued_at`)
    SELECT `current`.`series`, 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` AS `all` WHERE `all`.`series` = `current`.`series`),
      `order_id`, `order_refund_id`, 1, -`amount_cents`, NEW.`failed_at`
    FROM `credit_notes` JOIN (SELECT coalesce(max(`invoice_series`), 1) AS `series` FROM `shop_settings`) AS `current`
    WHERE `order_refund_id` = NEW.`id` AND `is_reversal` = 0 AND OLD.`failed_at` IS NULL;
  INSERT INTO `audit_log` (`at`, `event`, `actor`, `order_id`, `note`)
    SELECT NEW.`failed_at`, 'refund failed', 'stripe', NEW.`order_id`, NEW.`id` WHERE NEW.`failed_at` IS NOT NULL;
  UPDATE `orders` SET
    `refunded_cents` = (SELECT coalesce(sum(`amount_cents`), 0) FROM `order_refunds` WHERE `order_id` = NEW.`order_id` AND `failed_at` IS NULL)
    WHERE `id` = NEW.`order_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_are_never_deleted` BEFORE DELETE ON `order_refunds`
BEGIN
  SELECT RAISE(ABORT, 'a refund is never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_consecutive` BEFORE INSERT ON `credit_notes`
WHEN NEW.`number` <> 1 + (SELECT coalesce(max(`number`), 0) FROM `credit_notes` WHERE `series` = NEW.`series`)
  OR NEW.`series` IS NOT (SELECT `invoice_series` FROM `shop_settings`)
  OR EXISTS (SELECT 1 FROM `credit_notes` WHERE `order_refund_id` = NEW.`order_refund_id` AND `is_reversal` = NEW.`is_reversal`)
  OR NOT EXISTS (
    SELECT 1 FROM `order_refunds` WHERE `id` = NEW.`order_refund_id` AND `order_id` = NEW.`order_id` AND `refund_id` IS NOT NULL
      AND `amount_cents` = abs(NEW.`amount_cents`) AND (NEW.`is_reversal` = 0 OR `failed_at` IS NOT NULL)
  )
BEGIN
  SELECT RAISE(ABORT, 'credit notes are consecutive, one for each refund that is made');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_never_changed` BEFORE UPDATE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_are_never_deleted` BEFORE DELETE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note is never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `payments_only_for_unpaid_orders` BEFORE INSERT ON `payment_attempts`
WHEN NOT EXISTS (SELECT 1 FROM `orders` WHERE `id` = NEW.`order_id` AND `state` = 'unpaid')
BEGIN
  SELECT RAISE(ABORT, 'only an unpaid order can be paid');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_only_of_payments_that_pay_nothing` BEFORE INSERT ON `refunds`
WHEN EXISTS (SELECT 1 FROM `orders` WHERE `transaction_id` = NEW.`transaction_id`)
BEGIN
  SELECT RAISE(ABORT, 'a payment that pays an order is not refunded here');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_made` AFTER UPDATE OF `refund_id` ON `refunds` WHEN OLD.`refund_id` IS NULL AND NEW.`refund_id` IS NOT NULL
BEGIN
  INSERT INTO "audit_log" (`at`, `event`, `actor`, `order_id`, `note`)
    VALUES (NEW.`made_at`, 'refund made', 'shop', NEW.`order_id`, NEW.`transaction_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_are_made_once` BEFORE UPDATE ON `refunds`
WHEN OLD.`refund_id` IS NOT NULL AND (OLD."failed_at" IS NOT NULL OR NEW."failed_at" IS NULL
  OR NEW.`transaction_id` <> OLD.`transaction_id` OR NEW.`order_id` <> OLD.`order_id` OR NEW.`amount_cents` <> OLD.`amount_cents`
  OR NEW.`refund_id` IS NOT OLD.`refund_id` OR NEW.`made_at` IS NOT OLD.`made_at`)
BEGIN
  SELECT RAISE(ABORT, 'a refund that is made is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `settings_versions_never_change` BEFORE UPDATE ON `settings_versions`
BEGIN
  SELECT RAISE(ABORT, 'a version of the settings is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `settings_versions_without_a_gap` BEFORE INSERT ON `settings_versions`
WHEN NEW.`version` <> 1 + (SELECT coalesce(max(`version`), 0) FROM `settings_versions`)
BEGIN
  SELECT RAISE(ABORT, 'the settings have a newer version');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_hold_their_deliveries` AFTER UPDATE OF `state` ON `webhook_endpoints`
WHEN OLD.`state` = 'on' AND NEW.`state` <> 'on'
BEGIN
  UPDATE `webhook_deliveries` SET `state` = 'held' WHERE `endpoint_id` = NEW.`id` AND `state` = 'waiting';
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_endpoints_release_their_deliveries` AFTER UPDATE OF `state` ON `webhook_endpoints`
WHEN OLD.`state` <> 'on' AND NEW.`state` = 'on'
BEGIN
  UPDATE `webhook_deliveries` SET `state` = 'waiting', `due_at` = 0, `first_tried_at` = NULL
    WHERE `endpoint_id` = NEW.`id` AND `state` = 'held';
END;
--> statement-breakpoint
INSERT INTO `log_readers` (`name`) VALUES ('order emails'), ('quote emails'), ('low stock'), ('back in stock'), ('webhooks'), ('sales figures');
--> statement-breakpoint
INSERT INTO `families` (`slug`, `name`, `position`, `cases`) VALUES
  ('strings', 'Strings', 0, 0), ('brass', 'Brass', 1, 0), ('woodwind', 'Woodwind', 2, 0), ('cases', 'Cases', 3, 1);
