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
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "discounts_code" CHECK(length("discounts"."code") BETWEEN 3 AND 30 AND "discounts"."code" NOT GLOB '*[^A-Z0-9-]*'),
	CONSTRAINT "discounts_off" CHECK(("discounts"."percent" IS NULL) <> ("discounts"."amount_cents" IS NULL) AND coalesce("discounts"."percent", 1) BETWEEN 1 AND 100 AND coalesce("discounts"."amount_cents", 1) BETWEEN 1 AND 99999999),
	CONSTRAINT "discounts_period" CHECK("discounts"."until_at" > "discounts"."from_at"),
	CONSTRAINT "discounts_minimum" CHECK("discounts"."min_total_cents" BETWEEN 0 AND 99999999),
	CONSTRAINT "discounts_uses" CHECK("discounts"."uses" >= 0 AND "discounts"."uses" <= "discounts"."max_uses"),
	CONSTRAINT "discounts_uses_each" CHECK("discounts"."max_uses_per_customer" > 0),
	CONSTRAINT "discounts_combines" CHECK("discounts"."combines" IN (0, 1)),
	CONSTRAINT "discounts_scope" CHECK(json_type("discounts"."instruments") = 'array' AND json_type("discounts"."families") = 'array')
) STRICT;
--> statement-breakpoint
CREATE INDEX `discounts_by_age` ON `discounts` (`created_at`,`code`);--> statement-breakpoint
ALTER TABLE `monthly_sales` ADD `discount_cents` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `orders` ADD `discount_code` text REFERENCES discounts(code);--> statement-breakpoint
ALTER TABLE `orders` ADD `discount_cents` integer
  CONSTRAINT "orders_discount" CHECK(("discount_code" IS NULL) = ("discount_cents" IS NULL) AND coalesce("discount_cents", 1) > 0);--> statement-breakpoint
CREATE INDEX `orders_of_discount` ON `orders` (`discount_code`,`customer_id`) WHERE "orders"."discount_code" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `discounts_keep_their_terms` BEFORE UPDATE OF `code`, `percent`, `amount_cents`, `from_at`, `until_at`, `min_total_cents`,
  `max_uses`, `max_uses_per_customer`, `instruments`, `combines`, `created_at`, `ended_at` ON `discounts`
WHEN OLD.`ended_at` IS NOT NULL OR NEW.`ended_at` IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a discount code is made, and ended once');
END;
--> statement-breakpoint
CREATE TRIGGER `families_keep_their_discounts` AFTER UPDATE OF `slug` ON `families` WHEN NEW.`slug` <> OLD.`slug`
BEGIN
  UPDATE `discounts` SET `families` = replace(`families`, json_quote(OLD.`slug`), json_quote(NEW.`slug`))
    WHERE instr(`families`, json_quote(OLD.`slug`));
END;
--> statement-breakpoint
-- The price and the number of uses are bound here, in the INSERT itself: see decision 53.
DROP TRIGGER `orders_begin_unpaid`;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL
        AND NEW.`total_cents` + coalesce(NEW.`discount_cents`, 0) = NEW.`quantity` * CASE WHEN NEW.`quote_id` IS NULL THEN coalesce((
          SELECT min(`value` ->> 'priceCents') FROM json_each(`instruments`.`price_breaks`) WHERE `value` ->> 'from' <= NEW.`quantity`
        ), `price_cents`) ELSE (
          SELECT `unit_price_cents` FROM `quotes`
          WHERE `quotes`.`id` = NEW.`quote_id` AND `customer_id` = NEW.`customer_id` AND `instrument_id` = NEW.`instrument_id`
            AND `state` = 'offered' AND `quantity` = NEW.`quantity` AND `valid_until` > NEW.`created_at`
        ) END
        AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    );
  SELECT RAISE(ABORT, 'this code does not give this discount')
    WHERE NEW.`discount_code` IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM `discounts` AS `its` JOIN `instruments` ON `instruments`.`id` = NEW.`instrument_id`
      WHERE `code` = NEW.`discount_code` AND NEW.`quote_id` IS NULL AND `ended_at` IS NULL
        AND `from_at` <= NEW.`created_at` AND coalesce(`until_at` > NEW.`created_at`, 1)
        AND NEW.`total_cents` + NEW.`discount_cents` >= `min_total_cents`
        AND ((`its`.`instruments` = '[]' AND `families` = '[]')
          OR `instruments`.`id` IN (SELECT `value` FROM json_each(`its`.`instruments`))
          OR `family_slug` IN (SELECT `value` FROM json_each(`families`)))
        AND coalesce(`uses` < `max_uses`, 1)
        AND coalesce((
          SELECT count(*) FROM `orders` WHERE `discount_code` = `code` AND NEW.`customer_id` = `customer_id` AND `state` <> 'cancelled'
        ) < `max_uses_per_customer`, 1)
        -- To the nearest cent, and never below what a card can pay.
        AND NEW.`unit_price_cents` = (
          SELECT max(`base` - coalesce(`amount_cents`, (`base` * `percent` + 50) / 100), (49 + NEW.`quantity`) / NEW.`quantity`)
          FROM (SELECT iif(`combines`, (NEW.`total_cents` + NEW.`discount_cents`) / NEW.`quantity`, `price_cents`) AS `base`)
        )
    );
END;
--> statement-breakpoint
-- `submission_id` has what proves code and discount, as that of an answered quote: see migration 0033.
DROP TRIGGER `orders_hold_stock`;
--> statement-breakpoint
CREATE TRIGGER `orders_hold_stock` AFTER INSERT ON `orders`
BEGIN
  INSERT INTO "audit_log" (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`, `submission_id`)
    VALUES (NEW.`created_at`, 'order placed', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, -NEW.`quantity`,
      iif(NEW.`discount_code` IS NULL, NULL, json_array('order with a code', NEW.`id`, NEW.`discount_code`, NEW.`discount_cents`)));
  UPDATE `discounts` SET `uses` = `uses` + 1 WHERE `code` = NEW.`discount_code`;
END;
--> statement-breakpoint
DROP TRIGGER `orders_give_stock_back`;
--> statement-breakpoint
CREATE TRIGGER `orders_give_stock_back` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'cancelled'
BEGIN
  INSERT INTO "audit_log" (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`)
    VALUES (NEW.`cancelled_at`, 'order cancelled', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, NEW.`quantity`);
  UPDATE `discounts` SET `uses` = `uses` - 1 WHERE `code` = NEW.`discount_code`;
END;
--> statement-breakpoint
DROP TRIGGER `orders_keep_their_terms`;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `created_at`, `hold_until`, `quote_id`, `discount_code`, `discount_cents` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
DROP TRIGGER `orders_count_as_sales`;
--> statement-breakpoint
CREATE TRIGGER `orders_count_as_sales` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `daily_sales` (`day`, `orders`, `revenue_cents`) VALUES (NEW.`paid_at` / 86400000, 1, NEW.`total_cents`)
    ON CONFLICT (`day`) DO UPDATE SET `orders` = `orders` + 1, `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`;
  INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`, `discount_cents`)
    VALUES (strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch'), NEW.`instrument_id`, 1, NEW.`quantity`, NEW.`total_cents`, 0, coalesce(NEW.`discount_cents`, 0))
    ON CONFLICT (`month`, `instrument_id`) DO UPDATE SET `orders` = `orders` + 1, `pieces` = `pieces` + excluded.`pieces`,
      `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`, `discount_cents` = `discount_cents` + excluded.`discount_cents`;
END;
