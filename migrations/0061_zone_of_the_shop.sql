CREATE TABLE `zone_offsets` (
	`from_at` integer PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
DROP TRIGGER `orders_count_as_sales`;--> statement-breakpoint
CREATE TRIGGER `orders_count_as_sales` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `daily_sales` (`day`, `orders`, `revenue_cents`)
    VALUES (
      (NEW.`paid_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`paid_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000,
      1, NEW.`total_cents`
    )
    ON CONFLICT (`day`) DO UPDATE SET `orders` = `orders` + 1, `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`;
  INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`, `discount_cents`)
    VALUES (
      strftime('%Y-%m', (NEW.`paid_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`paid_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 1000, 'unixepoch'),
      NEW.`instrument_id`, 1, NEW.`quantity`, NEW.`total_cents`, 0, coalesce(NEW.`discount_cents`, 0)
    )
    ON CONFLICT (`month`, `instrument_id`) DO UPDATE SET `orders` = `orders` + 1, `pieces` = `pieces` + excluded.`pieces`,
      `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`, `discount_cents` = `discount_cents` + excluded.`discount_cents`;
END;
--> statement-breakpoint
DROP TRIGGER `orders_count_their_customers`;--> statement-breakpoint
CREATE TRIGGER `orders_count_their_customers` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `monthly_customers` (`month`, `new_customers`, `returning_customers`)
    SELECT `month`, `last` IS NULL, `last` IS NOT NULL FROM (
      SELECT strftime('%Y-%m', (NEW.`paid_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`paid_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 1000, 'unixepoch') AS `month`,
        (SELECT `last_month` FROM `buyers` WHERE `customer_id` = NEW.`customer_id`) AS `last`
    ) WHERE `last` IS NULL OR `last` < `month`
    ON CONFLICT (`month`) DO UPDATE SET `new_customers` = `new_customers` + excluded.`new_customers`,
      `returning_customers` = `returning_customers` + excluded.`returning_customers`;
  INSERT INTO `buyers` (`customer_id`, `last_month`) VALUES (NEW.`customer_id`, '')
    ON CONFLICT (`customer_id`) DO UPDATE SET `last_month` = max(`last_month`, strftime('%Y-%m', (NEW.`paid_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`paid_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 1000, 'unixepoch'));
END;
--> statement-breakpoint
DROP TRIGGER `order_refunds_count_in_their_month`;--> statement-breakpoint
CREATE TRIGGER `order_refunds_count_in_their_month` AFTER INSERT ON `order_refunds` WHEN NEW.`failed_at` IS NULL
BEGIN
  INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`)
    SELECT strftime('%Y-%m', (NEW.`created_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`created_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 1000, 'unixepoch'), `instrument_id`, 0, 0, 0, NEW.`amount_cents`
    FROM `orders` WHERE `id` = NEW.`order_id`
    ON CONFLICT (`month`, `instrument_id`) DO UPDATE SET `refunded_cents` = `refunded_cents` + excluded.`refunded_cents`;
END;
--> statement-breakpoint
DROP TRIGGER `order_refunds_that_fail_do_not_count`;--> statement-breakpoint
CREATE TRIGGER `order_refunds_that_fail_do_not_count` AFTER UPDATE OF `failed_at` ON `order_refunds`
WHEN (OLD.`failed_at` IS NULL) <> (NEW.`failed_at` IS NULL)
BEGIN
  UPDATE `monthly_sales` SET `refunded_cents` = `refunded_cents` + iif(NEW.`failed_at` IS NULL, 1, -1) * NEW.`amount_cents`
    WHERE `month` = strftime('%Y-%m', (NEW.`created_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= NEW.`created_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 1000, 'unixepoch')
      AND `instrument_id` = (SELECT `instrument_id` FROM `orders` WHERE `id` = NEW.`order_id`);
END;
--> statement-breakpoint
DROP TRIGGER `instruments_keep_former_prices`;--> statement-breakpoint
CREATE TRIGGER `instruments_keep_former_prices` AFTER UPDATE OF `price_cents`, `sale_cents`, `sale_from_at`, `sale_until_at` ON `instruments`
WHEN (NEW.`price_cents`, NEW.`sale_cents`, NEW.`sale_from_at`, NEW.`sale_until_at`)
  IS NOT (OLD.`price_cents`, OLD.`sale_cents`, OLD.`sale_from_at`, OLD.`sale_until_at`)
BEGIN
  -- An older Worker does not say when.
  UPDATE `instruments` SET `priced_at` = unixepoch() * 1000 WHERE `id` = NEW.`id` AND `priced_at` IS OLD.`priced_at`;
  INSERT INTO `former_prices` (`instrument_id`, `day`, `price_cents`)
    SELECT `id`, (min(`priced_at`, OLD.`sale_until_at` - 1) + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= min(`priced_at`, OLD.`sale_until_at` - 1) ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000, OLD.`sale_cents` FROM `instruments`
      WHERE `id` = NEW.`id` AND OLD.`sale_from_at` <= `priced_at`
        AND ((`sale_cents`, `sale_from_at`) IS NOT (OLD.`sale_cents`, OLD.`sale_from_at`) OR OLD.`sale_until_at` <= `priced_at`)
    UNION ALL SELECT `id`, (`priced_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= `priced_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000, OLD.`price_cents` FROM `instruments`
      WHERE `id` = NEW.`id` AND `price_cents` <> OLD.`price_cents`
    ON CONFLICT DO UPDATE SET `price_cents` = min(`price_cents`, excluded.`price_cents`);
  DELETE FROM `former_prices`
    WHERE `instrument_id` = NEW.`id` AND `day` < (SELECT (`priced_at` + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= `priced_at` ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000 - 30 FROM `instruments` WHERE `id` = NEW.`id`);
  UPDATE `instruments` SET `prior_cents` = iif(`sale_cents`, min(
      iif(`sale_from_at` > `priced_at`, `price_cents`, OLD.`price_cents`),
      coalesce((
        SELECT min(`former`.`price_cents`) FROM `former_prices` AS `former`
        WHERE `instrument_id` = `id` AND `day` >= (max(`sale_from_at`, `priced_at`) + coalesce((SELECT `offset_ms` FROM `zone_offsets` WHERE `from_at` <= max(`sale_from_at`, `priced_at`) ORDER BY `from_at` DESC LIMIT 1), 0)) / 86400000 - 30
      ), 99999999)
    ), NULL)
    WHERE `id` = NEW.`id` AND (
      (`sale_cents`, `sale_from_at`) IS NOT (OLD.`sale_cents`, OLD.`sale_from_at`)
      OR `sale_from_at` > `priced_at` OR OLD.`sale_until_at` <= `priced_at`
    );
END;
