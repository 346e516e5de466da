CREATE TABLE `monthly_sales` (
	`month` text NOT NULL,
	`instrument_id` text NOT NULL,
	`orders` integer NOT NULL,
	`pieces` integer NOT NULL,
	`revenue_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	PRIMARY KEY(`month`, `instrument_id`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`)
SELECT `month`, `instrument_id`, sum(`orders`), sum(`pieces`), sum(`revenue_cents`), sum(`refunded_cents`) FROM (
  SELECT strftime('%Y-%m', `paid_at` / 1000, 'unixepoch') AS `month`, `instrument_id`, 1 AS `orders`, `quantity` AS `pieces`,
    `total_cents` AS `revenue_cents`, 0 AS `refunded_cents`
    FROM `orders` WHERE `paid_at` IS NOT NULL
  UNION ALL
  SELECT strftime('%Y-%m', `order_refunds`.`created_at` / 1000, 'unixepoch'), `instrument_id`, 0, 0, 0, `amount_cents`
    FROM `order_refunds` JOIN `orders` ON `orders`.`id` = `order_id` WHERE `failed_at` IS NULL
) GROUP BY 1, 2;
--> statement-breakpoint
DROP TRIGGER `orders_count_as_sales`;
--> statement-breakpoint
CREATE TRIGGER `orders_count_as_sales` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `daily_sales` (`day`, `orders`, `revenue_cents`) VALUES (NEW.`paid_at` / 86400000, 1, NEW.`total_cents`)
    ON CONFLICT (`day`) DO UPDATE SET `orders` = `orders` + 1, `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`;
  INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`)
    VALUES (strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch'), NEW.`instrument_id`, 1, NEW.`quantity`, NEW.`total_cents`, 0)
    ON CONFLICT (`month`, `instrument_id`) DO UPDATE SET `orders` = `orders` + 1, `pieces` = `pieces` + excluded.`pieces`,
      `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_count_in_their_month` AFTER INSERT ON `order_refunds` WHEN NEW.`failed_at` IS NULL
BEGIN
  INSERT INTO `monthly_sales` (`month`, `instrument_id`, `orders`, `pieces`, `revenue_cents`, `refunded_cents`)
    SELECT strftime('%Y-%m', NEW.`created_at` / 1000, 'unixepoch'), `instrument_id`, 0, 0, 0, NEW.`amount_cents`
    FROM `orders` WHERE `id` = NEW.`order_id`
    ON CONFLICT (`month`, `instrument_id`) DO UPDATE SET `refunded_cents` = `refunded_cents` + excluded.`refunded_cents`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_refunds_that_fail_do_not_count` AFTER UPDATE OF `failed_at` ON `order_refunds`
WHEN (OLD.`failed_at` IS NULL) <> (NEW.`failed_at` IS NULL)
BEGIN
  UPDATE `monthly_sales` SET `refunded_cents` = `refunded_cents` + iif(NEW.`failed_at` IS NULL, 1, -1) * NEW.`amount_cents`
    WHERE `month` = strftime('%Y-%m', NEW.`created_at` / 1000, 'unixepoch')
      AND `instrument_id` = (SELECT `instrument_id` FROM `orders` WHERE `id` = NEW.`order_id`);
END;
