ALTER TABLE `instruments` ADD `sale_cents` integer
  CONSTRAINT "instruments_sale" CHECK("sale_cents" BETWEEN 1 AND 99999999);
--> statement-breakpoint
ALTER TABLE `instruments` ADD `sale_from_at` integer;
--> statement-breakpoint
ALTER TABLE `instruments` ADD `sale_until_at` integer
  CONSTRAINT "instruments_sale_days" CHECK(("sale_cents" IS NULL) = ("sale_from_at" IS NULL) AND ("sale_cents" IS NULL) = ("sale_until_at" IS NULL)
        AND coalesce("sale_from_at" < "sale_until_at", 1));
--> statement-breakpoint
ALTER TABLE `instruments` ADD `prior_cents` integer;
--> statement-breakpoint
ALTER TABLE `instruments` ADD `priced_at` integer;
--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_sale_price` ON `instruments` (`sale_cents`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."sale_cents" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `former_prices` (
	`instrument_id` text NOT NULL,
	`day` integer NOT NULL,
	`price_cents` integer NOT NULL,
	PRIMARY KEY(`instrument_id`, `day`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
-- A sale that begins later than its instrument: see decision 54. One that begins with it has no price before it.
CREATE TRIGGER `instruments_begin_with_a_prior_price` AFTER INSERT ON `instruments` WHEN NEW.`sale_from_at` > NEW.`listed_at`
BEGIN
  UPDATE `instruments` SET `prior_cents` = `price_cents` WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_keep_former_prices` AFTER UPDATE OF `price_cents`, `sale_cents`, `sale_from_at`, `sale_until_at` ON `instruments`
WHEN (NEW.`price_cents`, NEW.`sale_cents`, NEW.`sale_from_at`, NEW.`sale_until_at`)
  IS NOT (OLD.`price_cents`, OLD.`sale_cents`, OLD.`sale_from_at`, OLD.`sale_until_at`)
BEGIN
  -- An older Worker does not say when.
  UPDATE `instruments` SET `priced_at` = unixepoch() * 1000 WHERE `id` = NEW.`id` AND `priced_at` IS OLD.`priced_at`;
  INSERT INTO `former_prices` (`instrument_id`, `day`, `price_cents`)
    SELECT `id`, min(`priced_at`, OLD.`sale_until_at` - 1) / 86400000, OLD.`sale_cents` FROM `instruments`
      WHERE `id` = NEW.`id` AND OLD.`sale_from_at` <= `priced_at`
        AND ((`sale_cents`, `sale_from_at`) IS NOT (OLD.`sale_cents`, OLD.`sale_from_at`) OR OLD.`sale_until_at` <= `priced_at`)
    UNION ALL SELECT `id`, `priced_at` / 86400000, OLD.`price_cents` FROM `instruments`
      WHERE `id` = NEW.`id` AND `price_cents` <> OLD.`price_cents`
    ON CONFLICT DO UPDATE SET `price_cents` = min(`price_cents`, excluded.`price_cents`);
  DELETE FROM `former_prices`
    WHERE `instrument_id` = NEW.`id` AND `day` < (SELECT `priced_at` / 86400000 - 30 FROM `instruments` WHERE `id` = NEW.`id`);
  UPDATE `instruments` SET `prior_cents` = iif(`sale_cents`, min(
      iif(`sale_from_at` > `priced_at`, `price_cents`, OLD.`price_cents`),
      coalesce((
        SELECT min(`former`.`price_cents`) FROM `former_prices` AS `former`
        WHERE `instrument_id` = `id` AND `day` >= max(`sale_from_at`, `priced_at`) / 86400000 - 30
      ), 99999999)
    ), NULL)
    WHERE `id` = NEW.`id` AND (
      (`sale_cents`, `sale_from_at`) IS NOT (OLD.`sale_cents`, OLD.`sale_from_at`)
      OR `sale_from_at` > `priced_at` OR OLD.`sale_until_at` <= `priced_at`
    );
END;
--> statement-breakpoint
-- As before, and the price of a sale: the lowest of the three counts.
DROP TRIGGER `orders_begin_unpaid`;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL
        AND NEW.`total_cents` + coalesce(NEW.`discount_cents`, 0) = NEW.`quantity` * CASE WHEN NEW.`quote_id` IS NULL THEN min(coalesce((
          SELECT min(`value` ->> 'priceCents') FROM json_each(`instruments`.`price_breaks`) WHERE `value` ->> 'from' <= NEW.`quantity`
        ), `price_cents`), iif(NEW.`created_at` >= `sale_from_at` AND NEW.`created_at` < `sale_until_at`, `sale_cents`, `price_cents`)) ELSE (
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
-- With the price of now.
DROP VIEW `webhook_products`;
--> statement-breakpoint
CREATE VIEW `webhook_products` AS SELECT `id`, json_object('_id', `id`, 'name', `name`, 'price', min(`price_cents`,
  iif(unixepoch() * 1000 >= `sale_from_at` AND unixepoch() * 1000 < `sale_until_at`, `sale_cents`, `price_cents`)) / 100.0, 'minQuantity', `min_quantity`,
  'availableQuantity', `available_quantity`,
  'status', CASE WHEN `removed_at` IS NULL THEN 'on sale' WHEN `hidden` = 1 THEN 'hidden' ELSE 'deleted' END) AS `data` FROM `instruments`;
--> statement-breakpoint
DROP TRIGGER `instruments_change_enqueues_webhooks`;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_enqueues_webhooks` AFTER UPDATE OF `name`, `family_slug`, `brand`, `img`, `alt`, `pictures`, `description`, `attributes`,
  `price_cents`, `price_breaks`, `sale_cents`, `sale_from_at`, `sale_until_at`, `min_quantity`, `removed_at`, `hidden` ON `instruments`
WHEN (NEW.`name`, NEW.`family_slug`, NEW.`brand`, NEW.`img`, NEW.`alt`, NEW.`pictures`, NEW.`description`, NEW.`attributes`,
    NEW.`price_cents`, NEW.`price_breaks`, NEW.`sale_cents`, NEW.`sale_from_at`, NEW.`sale_until_at`, NEW.`min_quantity`, NEW.`removed_at`, NEW.`hidden`)
  IS NOT (OLD.`name`, OLD.`family_slug`, OLD.`brand`, OLD.`img`, OLD.`alt`, OLD.`pictures`, OLD.`description`, OLD.`attributes`,
    OLD.`price_cents`, OLD.`price_breaks`, OLD.`sale_cents`, OLD.`sale_from_at`, OLD.`sale_until_at`, OLD.`min_quantity`, OLD.`removed_at`, OLD.`hidden`)
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_outbox`
    SELECT 'product.changed', lower(hex(randomblob(16))), 'product:' || `id`, CAST(unixepoch('subsec') * 1000 AS INTEGER), `data`
    FROM `webhook_products` WHERE `id` = NEW.`id`;
END;
