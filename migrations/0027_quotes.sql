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
CREATE UNIQUE INDEX `quotes_once` ON `quotes` (`customer_id`,`submission_id`);--> statement-breakpoint
CREATE INDEX `quotes_of_customer` ON `quotes` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `quotes_asked_by_customer` ON `quotes` (`customer_id`) WHERE "quotes"."state" = 'asked';--> statement-breakpoint
CREATE INDEX `quotes_asked` ON `quotes` (`created_at`,`id`) WHERE "quotes"."state" = 'asked';--> statement-breakpoint
CREATE INDEX `quotes_answered_by_age` ON `quotes` (`created_at`,`id`) WHERE "quotes"."state" <> 'asked';--> statement-breakpoint
ALTER TABLE `orders` ADD `quote_id` text REFERENCES quotes(id);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_quote` ON `orders` (`quote_id`) WHERE "orders"."quote_id" IS NOT NULL;
--> statement-breakpoint
-- A request is answered once; an offer that no order has used may be declined later. Its customer and its terms never change.
CREATE TRIGGER `quotes_begin_asked` BEFORE INSERT ON `quotes` WHEN NEW.`state` <> 'asked' OR EXISTS (SELECT 1 FROM `quotes` WHERE `id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a quote begins as a new request');
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_move_forward` BEFORE UPDATE ON `quotes`
WHEN NEW.`id` <> OLD.`id` OR NEW.`customer_id` <> OLD.`customer_id` OR NEW.`instrument_id` <> OLD.`instrument_id`
  OR NEW.`submission_id` <> OLD.`submission_id` OR NEW.`wanted_quantity` <> OLD.`wanted_quantity` OR NEW.`created_at` <> OLD.`created_at`
  OR NEW.`state` = 'asked' OR OLD.`state` = 'declined'
  OR (OLD.`state` = 'offered' AND NEW.`state` = 'offered')
BEGIN
  SELECT RAISE(ABORT, 'a quote is answered once, and its terms never change');
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_accepted_stand` BEFORE UPDATE ON `quotes` WHEN EXISTS (SELECT 1 FROM `orders` WHERE `quote_id` = OLD.`id`)
BEGIN
  SELECT RAISE(ABORT, 'an accepted offer stands');
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_are_answered_by_admins` BEFORE UPDATE ON `quotes`
WHEN NOT EXISTS (SELECT 1 FROM `users` WHERE `id` = NEW.`answered_by` AND `role` = 'admin')
BEGIN
  SELECT RAISE(ABORT, 'an admin answers a quote');
END;
--> statement-breakpoint
-- The Worker knows the address of the shop, and writes the texts when it sends them.
CREATE TRIGGER `quotes_email_the_shop` AFTER INSERT ON `quotes`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`)
    VALUES ('quote asked:' || NEW.`id`, 'shop', '', '', '', NEW.`created_at`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `quotes_email_the_customer` AFTER UPDATE OF `state` ON `quotes`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`)
    SELECT 'quote ' || NEW.`state` || ':' || NEW.`id`, `email`, '', '', '', NEW.`answered_at`, NEW.`answered_at`
    FROM `users` WHERE `id` = NEW.`customer_id` AND `email_verified_at` IS NOT NULL;
END;
--> statement-breakpoint
-- As before, or at the price of the customer's own offer, in its quantity, while it holds. The unique index lets it be used once.
DROP TRIGGER `orders_begin_unpaid`;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL
        AND NEW.`unit_price_cents` = CASE WHEN NEW.`quote_id` IS NULL THEN coalesce((
          SELECT min(`value` ->> 'priceCents') FROM json_each(`instruments`.`price_breaks`) WHERE `value` ->> 'from' <= NEW.`quantity`
        ), `price_cents`) ELSE (
          SELECT `unit_price_cents` FROM `quotes`
          WHERE `quotes`.`id` = NEW.`quote_id` AND `customer_id` = NEW.`customer_id` AND `instrument_id` = NEW.`instrument_id`
            AND `state` = 'offered' AND `quantity` = NEW.`quantity` AND `valid_until` > NEW.`created_at`
        ) END
        AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    );
END;
--> statement-breakpoint
DROP TRIGGER `orders_keep_their_terms`;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `customer_email`, `created_at`, `hold_until`, `quote_id` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
