-- Returning is who has paid for an order before, in the same month too (decision 52). `buyers`.`last_month` is now the newest month in which a
-- customer counts as returning, or empty. Only this trigger reads it.
DROP TRIGGER `orders_count_their_customers`;
--> statement-breakpoint
DELETE FROM `monthly_customers`;
--> statement-breakpoint
DELETE FROM `buyers`;
--> statement-breakpoint
INSERT INTO `monthly_customers` (`month`, `new_customers`, `returning_customers`)
SELECT `month`, sum(`nth` = 1), count(DISTINCT iif(`nth` > 1, `customer_id`, NULL)) FROM (
  SELECT `customer_id`, strftime('%Y-%m', `paid_at` / 1000, 'unixepoch') AS `month`,
    row_number() OVER (PARTITION BY `customer_id` ORDER BY `paid_at`) AS `nth` FROM `orders` WHERE `paid_at` IS NOT NULL
) GROUP BY 1;
--> statement-breakpoint
INSERT INTO `buyers` (`customer_id`, `last_month`)
SELECT `customer_id`, coalesce(max(iif(`nth` > 1, `month`, NULL)), '') FROM (
  SELECT `customer_id`, strftime('%Y-%m', `paid_at` / 1000, 'unixepoch') AS `month`,
    row_number() OVER (PARTITION BY `customer_id` ORDER BY `paid_at`) AS `nth` FROM `orders` WHERE `paid_at` IS NOT NULL
) GROUP BY 1;
--> statement-breakpoint
-- Each customer counts once in a month as returning. A payment of an earlier month than their newest one, which no clock makes, would not count.
CREATE TRIGGER `orders_count_their_customers` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `monthly_customers` (`month`, `new_customers`, `returning_customers`)
    SELECT `month`, `last` IS NULL, `last` IS NOT NULL FROM (
      SELECT strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch') AS `month`,
        (SELECT `last_month` FROM `buyers` WHERE `customer_id` = NEW.`customer_id`) AS `last`
    ) WHERE `last` IS NULL OR `last` < `month`
    ON CONFLICT (`month`) DO UPDATE SET `new_customers` = `new_customers` + excluded.`new_customers`,
      `returning_customers` = `returning_customers` + excluded.`returning_customers`;
  INSERT INTO `buyers` (`customer_id`, `last_month`) VALUES (NEW.`customer_id`, '')
    ON CONFLICT (`customer_id`) DO UPDATE SET `last_month` = max(`last_month`, strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch'));
END;
