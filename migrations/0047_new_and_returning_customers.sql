CREATE TABLE `buyers` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`last_month` text NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `monthly_customers` (
	`month` text PRIMARY KEY NOT NULL,
	`new_customers` integer NOT NULL,
	`returning_customers` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `monthly_customers` (`month`, `new_customers`, `returning_customers`)
SELECT `month`, sum(`month` = `first`), sum(`month` <> `first`) FROM (
  SELECT `month`, min(`month`) OVER (PARTITION BY `customer_id`) AS `first` FROM (
    SELECT DISTINCT `customer_id`, strftime('%Y-%m', `paid_at` / 1000, 'unixepoch') AS `month` FROM `orders` WHERE `paid_at` IS NOT NULL
  )
) GROUP BY 1;
--> statement-breakpoint
INSERT INTO `buyers` (`customer_id`, `last_month`)
SELECT `customer_id`, strftime('%Y-%m', max(`paid_at`) / 1000, 'unixepoch') FROM `orders` WHERE `paid_at` IS NOT NULL GROUP BY 1;
--> statement-breakpoint
-- One customer counts once in a month. A payment of an earlier month than their newest one, which no clock makes, would not count.
CREATE TRIGGER `orders_count_their_customers` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `monthly_customers` (`month`, `new_customers`, `returning_customers`)
    SELECT `month`, `last` IS NULL, `last` IS NOT NULL FROM (
      SELECT strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch') AS `month`,
        (SELECT `last_month` FROM `buyers` WHERE `customer_id` = NEW.`customer_id`) AS `last`
    ) WHERE `last` IS NULL OR `last` < `month`
    ON CONFLICT (`month`) DO UPDATE SET `new_customers` = `new_customers` + excluded.`new_customers`,
      `returning_customers` = `returning_customers` + excluded.`returning_customers`;
  INSERT INTO `buyers` (`customer_id`, `last_month`)
    VALUES (NEW.`customer_id`, strftime('%Y-%m', NEW.`paid_at` / 1000, 'unixepoch'))
    ON CONFLICT (`customer_id`) DO UPDATE SET `last_month` = max(`last_month`, excluded.`last_month`);
END;
